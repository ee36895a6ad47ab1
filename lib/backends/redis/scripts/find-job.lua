-- Looks for a job by its id in a part of one place.
-- KEYS: pending, delayed, leased, running, prioritized, bodies
-- ARGV: place (pending, delayed, leased, prioritized), id, how many members to pass over, how many to look at.
-- Result: empty when the place is at its end; else 0, or 1, the member, its score (empty in pending), whether that has come
-- (1 or 0), and the body where that is not in the member.
-- @include now, member
local places = { pending = PENDING, delayed = DELAYED, leased = LEASED, prioritized = PRIORITIZED }
local name, id, from, count = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local range = name == 'pending' and 'LRANGE' or 'ZRANGE'
local found = redis.call(range, places[name], from, from + count - 1)
if #found == 0 then return {} end
for _, entry in ipairs(found) do
  local member = name == 'leased' and redis.call('HGET', RUNNING, entry) or entry
  local job = string.find(member, id, 1, true) and read(member)
  if job and job[10] == id then
    local score = name == 'pending' and '' or redis.call('ZSCORE', places[name], entry)
    local come = score ~= '' and tonumber(score) <= now and 1 or 0
    local body = job[13] ~= '' and redis.call('HGET', BODIES, job[13]) or ''
    return { 1, member, score, come, body }
  end
end
return { 0 }

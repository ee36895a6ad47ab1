-- A job is one member: 'q1', 13 fields, each behind a '|', then '|' and the body. What does not begin like that is no
-- job, and is carried as it is.
-- Fields: 1 v, 2 serial, 3 attempts, 4 deferrals, 5 graceRounds, 6 leaseSeconds, 7 priority, 8 rank, 9 uniqueKey,
-- 10 id, 11 ready since (ms), 12 place (empty until it first had a rank), 13 ref (field of its body in bodies, or empty).
local MEMBER = '^q1' .. string.rep('|([^|]*)', 13) .. '|()'

local function read(member)
  local job = { string.match(member, MEMBER) }
  if #job == 0 then return nil end
  job.body = string.sub(member, job[14])
  return job
end

local function write(job)
  return 'q1|' .. table.concat(job, '|', 1, 13) .. '|' .. job.body
end

-- What is no count stays what it is: counting it into shape would hide it from the decoder.
local function one_more(text)
  return string.find(text, '^%d+$') and string.format('%.0f', tonumber(text) + 1) or text
end

local function raise(job, field)
  job[field] = one_more(job[field])
end

-- Frees what a job holds beside its member. A key that another job holds by now is left.
local function free(job, keep_body)
  if job[9] ~= '' and redis.call('HGET', UNIQUE, job[9]) == job[10] then redis.call('HDEL', UNIQUE, job[9]) end
  if job[13] ~= '' and not keep_body then redis.call('HDEL', BODIES, job[13]) end
end

import type { CaughtBy, SourceMutants, SourcePatch } from './mutant.js';

function script(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/redis/scripts/${name}.lua`, find, replace };
}

const LOST_MIDWAY: CaughtBy = {
  file: 'test/redis/half-done.test.ts',
  tests: ['loses no job that it was to lease or to bring back, and leaves nothing behind for ever'],
  backend: 'redis-cluster',
};

const ackedWithReserve = (test: string): CaughtBy => ({
  file: 'test/redis/ack-with-reserve.test.ts',
  tests: [test],
  backend: 'redis',
});

/** What a script has done before it moves a job has to stay: most of these break its order, or leave half of it out. */
export const redisMutants: SourceMutants = {
  'redis gives every delivery of a job the same token': {
    patches: [
      script(
        'reserve',
        '  if start then\n    own_lease = own\n',
        '  if start then\n    own_lease = own\n    delivery = read(member)[10]\n',
      ),
    ],
    caughtBy: { suite: 'redis', cases: ['stale: ack after a reclaim is stale and changes nothing'] },
    judged: { cell: 'process/worker-stopped', target: 'redis', seed: 1, rules: ['late-settlement-applied'] },
  },
  'redis removes due jobs without adding them': {
    patches: [
      script(
        'reserve',
        "if job then make_ready(job, tonumber(due[i + 1]), false) else redis.call('LPUSH', PENDING, due[i]) end",
        '',
      ),
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['delays: a delayed job comes when its delay is over, and not before'],
    },
  },
  'redis keeps the reservation of a job that it releases': {
    patches: [
      script(
        'settle',
        "if delay > 0 then redis.call('ZADD', DELAYED, ms(now + delay), member) end\n  end_delivery(token)",
        "if delay > 0 then redis.call('ZADD', DELAYED, ms(now + delay), member) end",
      ),
    ],
    caughtBy: { suite: 'redis', cases: ['stale: ack after a release is stale and changes nothing'] },
  },
  'redis keeps a due job delayed, though it is ready': {
    patches: [script('reserve', "  redis.call('ZREM', DELAYED, due[i])\n", '')],
    caughtBy: {
      suite: 'redis',
      cases: ['concurrency: due jobs are promoted once, whoever looks at the same time'],
    },
  },
  'redis reclaims a lost lease without counting the attempt': {
    patches: [script('reserve', '  raise(job, 3)\n', '')],
    caughtBy: {
      suite: 'redis',
      cases: ['attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'],
    },
  },
  'redis reclaims a lost lease and keeps it leased': {
    patches: [script('reserve', '  end_delivery(lost[i])\n', '')],
    caughtBy: {
      suite: 'redis',
      cases: ['concurrency: a lost lease is reclaimed once, whoever looks at the same time'],
    },
  },
  'redis leaves the token of a reclaimed job usable': {
    patches: [script('reserve', '  end_delivery(lost[i])\n', "  redis.call('ZREM', LEASED, lost[i])\n")],
    caughtBy: { suite: 'redis', cases: ['stale: ack after a reclaim is stale and changes nothing'] },
  },
  'redis settles a delivery and keeps its job in running': {
    patches: [script('parts/delivery', "  redis.call('HDEL', RUNNING, token)\n", '')],
    caughtBy: { suite: 'redis', cases: ['stale: ack after a release is stale and changes nothing'] },
  },
  'redis acknowledges a job as if it held nothing': {
    patches: [script('reserve', " delivery = delivery .. 'h' end", ' delivery = delivery end')],
    caughtBy: { suite: 'redis', cases: ['unique: an ack frees the key'] },
  },
  'redis leases a job in the place of another delivery': {
    patches: [
      script(
        'reserve',
        "redis.call('ZADD', LEASED, 'NX', end_of(own_lease), delivery) == 0",
        "redis.call('ZADD', LEASED, end_of(own_lease), delivery) == 2",
      ),
    ],
    caughtBy: {
      file: 'test/redis/tokens.test.ts',
      tests: ['is never handed out while another delivery has it'],
      backend: 'redis',
    },
  },
  'redis loses a job whose token is gone': {
    patches: [script('reserve', 'if RUNNING_SIZE > LEASED_SIZE then', 'if false then')],
    caughtBy: {
      file: 'test/redis/half-done.test.ts',
      tests: ['is leased anew by a sweep, and comes back when that lease ends'],
      backend: 'redis',
    },
  },
  'redis takes a job out before it is leased': {
    patches: [
      script(
        'reserve',
        "  if not lease(pending[i]) then break end\n  redis.call('RPOP', PENDING)\n",
        "  redis.call('RPOP', PENDING)\n  if not lease(pending[i]) then break end\n",
      ),
    ],
    caughtBy: LOST_MIDWAY,
  },
  'redis ends a lost lease before its job is back': {
    patches: [
      script(
        'reserve',
        '  if member then reclaim(member, tonumber(lost[i + 1])) end\n  end_delivery(lost[i])\n',
        '  end_delivery(lost[i])\n  if member then reclaim(member, tonumber(lost[i + 1])) end\n',
      ),
    ],
    caughtBy: LOST_MIDWAY,
  },
  'redis stops at a token without a job': {
    patches: [
      script('reserve', '  if member then reclaim(member,', '  if member ~= nil then reclaim(member,'),
    ],
    caughtBy: {
      file: 'test/redis/half-done.test.ts',
      tests: ['is passed over where jobs are looked at, and removed by the sweep after its lease'],
      backend: 'redis',
    },
  },
  'redis leaves a prioritized job where it was when it leases it': {
    patches: [script('reserve', "    redis.call('ZREM', PRIORITIZED, member)\n", '')],
    caughtBy: { suite: 'redis', cases: ['priority: higher priorities come first'] },
  },
  'redis gives a retried job the receipts that it had': {
    patches: [
      script(
        'reserve',
        "local delivery, own_lease, body = token .. '.' .. #answer",
        "local delivery, own_lease, body = '0.' .. LEASED_SIZE + #answer",
      ),
    ],
    caughtBy: { suite: 'redis', cases: ['failed: a retry starts over with the same job'] },
  },
  'redis forgets the acks of a reserve where the queue is paused': {
    patches: [
      script(
        'reserve',
        'if PAUSED_SIZE > 0 then return acknowledge(4, answer) end',
        'if PAUSED_SIZE > 0 then for i = 4, #ARGV do answer[#answer + 1] = 1 end return answer end',
      ),
    ],
    caughtBy: ackedWithReserve('acknowledge on a queue that is paused, for good'),
  },
  'redis takes the acks of a reserve that was refused for applied': {
    patches: [
      {
        file: 'lib/backends/redis/reserve-jobs.ts',
        find: 'else acks.runAlone();',
        replace: "else acks.answer(acks.entries.map(() => ({ status: 'applied' })));",
      },
    ],
    caughtBy: ackedWithReserve('acknowledge although the reserve is refused'),
  },
  'redis loses the follow-ups of an ack': {
    patches: [script('settle', '    for n = 0, count - 1 do store_job(i + 1 + 7 * n) end\n', '')],
    caughtBy: {
      suite: 'redis',
      cases: ['chain: each job is there when the one before it was acknowledged, and not before'],
    },
  },
  'redis stores the follow-ups of an ack that is stale': {
    patches: [
      script(
        'settle',
        '  if member then\n    for n = 0, count - 1 do store_job(i + 1 + 7 * n) end\n',
        '  for n = 0, count - 1 do store_job(i + 1 + 7 * n) end\n  if member then\n',
      ),
    ],
    caughtBy: { suite: 'redis', cases: ['stale: an ack that is stale stores no follow-ups'] },
  },
  'redis frees a unique key that another job holds by now': {
    patches: [script('parts/member', " and redis.call('HGET', UNIQUE, job[9]) == job[10]", '')],
    caughtBy: { suite: 'redis', cases: ['unique: a job that does not hold its key frees none'] },
  },
  'redis keeps the unique key of a job that is done': {
    patches: [
      script(
        'settle',
        '    if job then free(job) end\n  end\n  return i + 1 + 7 * count',
        '  end\n  return i + 1 + 7 * count',
      ),
    ],
    caughtBy: { suite: 'redis', cases: ['unique: an ack frees the key'] },
  },
  'redis drops a job that is given up on': {
    patches: [script('settle', '      keep_failed(job, member, ARGV[i], ARGV[i + 1])\n', '')],
    caughtBy: {
      suite: 'redis',
      cases: ['failed: a failed job is kept as it was, with what went wrong and when'],
    },
  },
  'redis stops a batch at a member that it cannot read': {
    patches: [
      script(
        'reserve',
        '  if start then\n    own_lease = own\n',
        '  if not start then limit = 0 return false end\n  if start then\n    own_lease = own\n',
      ),
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['malformed: an unreadable header in a batch stops nothing'],
    },
  },
  'redis takes a settlement without an answer for applied': {
    patches: [
      {
        file: 'lib/backends/redis/settle-jobs.ts',
        find: "return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };",
        replace:
          "return error.code === 'QUEUE_SERVER_REFUSED' ? { status: 'refused', error } : { status: 'applied' };",
      },
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['silence: an ack whose request is lost is unknown, and leaves the other deliveries'],
    },
  },
  'redis repeats a push whose answer was lost': {
    patches: [
      {
        file: 'lib/backends/redis/store-jobs.ts',
        find: "    const translated = translateError(error, 'push()');\n    return jobs.map(() => failedStore(translated));",
        replace: '    return storeOnQueue({ scripts, hints } as RedisBackendParts, queue, jobs, pauseMs);',
      },
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['silence: a push whose answer is lost rejects, and never as if nothing had been sent'],
    },
  },
  'redis lets its client send again what was not answered': {
    patches: [
      {
        file: 'lib/backends/redis/open-client.ts',
        find: 'maxRetriesPerRequest: 0,',
        replace: 'maxRetriesPerRequest: 5,',
      },
      {
        file: 'lib/backends/redis/open-client.ts',
        find: 'autoResendUnfulfilledCommands: false,',
        replace: 'autoResendUnfulfilledCommands: true,',
      },
    ],
    caughtBy: {
      suite: 'redis',
      cases: ['silence: a push whose answer is lost rejects, and never as if nothing had been sent'],
    },
  },
};

// ioredis alone: a list, and a sorted set of what is reserved. One script acknowledges a job and takes the next; as many
// loops as the concurrency says.
import { peer } from '../../peers.mjs';

const { Redis } = peer('ioredis');

const NEXT = `if ARGV[1] ~= '' then redis.call('zrem', KEYS[2], ARGV[1]) end
local member = redis.call('rpop', KEYS[1])
if member then redis.call('zadd', KEYS[2], ARGV[2], member) end
return member`;

export async function open({ redis: { host, port } }) {
  const client = new Redis({ host, port, scripts: { next: { lua: NEXT, numberOfKeys: 2 } } });
  const listener = new Redis({ host, port });
  return {
    push: (payload) => client.lpush('waiting', JSON.stringify(payload)),
    pushMany: (payloads) => client.lpush('waiting', ...payloads.map((payload) => JSON.stringify(payload))),
    async work(concurrency, onJob) {
      const loop = async () => {
        let done = '';
        for (;;) {
          const member = await client.next('waiting', 'reserved', done, Date.now() + 90_000);
          done = member ?? '';
          if (member !== null) onJob(JSON.parse(member));
          else {
            const popped = await listener.brpop('waiting', 1);
            if (popped !== null) onJob(JSON.parse(popped[1]));
          }
        }
      };
      // A loop ends with its connection.
      for (let n = 0; n < concurrency; n += 1) loop().catch(() => {});
    },
    async close() {
      client.disconnect();
      listener.disconnect();
    },
  };
}

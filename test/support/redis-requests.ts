import { SCRIPTS } from '../../lib/backends/redis/scripts.generated.js';
import type { RequestReader } from './tcp-proxy.js';

const WRITES = [SCRIPTS.store, SCRIPTS.settle];

/** Tells in the bytes of Redis' protocol what stores or settles a job; a script's one answer says that it is done. */
export function redisRequests(): RequestReader {
  return (chunk) => {
    const bytes = chunk.toString('latin1');
    const writes = WRITES.some(({ sha, source }) => bytes.includes(sha) || bytes.includes(source));
    return { writes, commits: writes };
  };
}

import { SCRIPTS } from '../../lib/backends/redis/scripts.generated.js';
import type { RequestReader } from './tcp-proxy.js';

/** Tells in the bytes of Redis' protocol what stores or settles a job; a script's one answer says that it is done. */
export function redisRequests(): RequestReader {
  return (chunk) => {
    const bytes = chunk.toString('latin1');
    const calls = ({ sha, source }: { readonly sha: string; readonly source: string }): boolean =>
      bytes.includes(sha) || bytes.includes(source);
    const settles = calls(SCRIPTS.settle);
    const writes = settles || calls(SCRIPTS.store);
    return { writes, commits: writes, purpose: settles ? 'settlement' : writes ? 'push' : null };
  };
}

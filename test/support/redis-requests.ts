import { SCRIPTS } from '../../lib/backends/redis/scripts.generated.js';
import type { AnswerReader, RequestReader } from './tcp-proxy.js';

/** The first byte of an error. */
const ERROR = '-'.charCodeAt(0);

/** Tells in the bytes of Redis' protocol what stores or settles a job; a script's one answer says that it is done. */
export function redisRequests(): RequestReader {
  return (chunk) => {
    const bytes = chunk.toString('latin1');
    const calls = ({ sha, source }: { readonly sha: string; readonly source: string }): boolean =>
      bytes.includes(sha) || bytes.includes(source);
    const settles = calls(SCRIPTS.ack) || calls(SCRIPTS.settle);
    const writes = settles || calls(SCRIPTS.store);
    return { writes, commits: writes, purpose: settles ? 'settlement' : writes ? 'push' : null };
  };
}

/** Tells what may be the answer to a change: an error, such as that of a script which the server does not know yet, is none. */
export function redisAnswers(): AnswerReader {
  return (chunk) => chunk[0] !== ERROR;
}

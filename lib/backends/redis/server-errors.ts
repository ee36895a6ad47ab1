import { ConnectionFailed, OutcomeUnknown, QueueException, ServerRefused } from '../../contract/index.js';
import { isReply } from './wire.js';
import { WireFailed } from './wire-failed.js';

/** A script that stumbles over its own code; what it stumbles over in the store has a code of its own. */
const DEFECT = /^ERR .*(user_script|compiling script|nonexistent global)/;

/**
 * What an error of the server is to the layers above: trouble with it, or, unchanged, a defect. `action` begins the
 * message, such as "reserve()".
 */
export function translateError(error: unknown, action: string): unknown {
  if (error instanceof QueueException) return error;
  if (error instanceof WireFailed) return unanswered(error, action);
  if (!isReply(error) || DEFECT.test(error.message)) return error;
  return new ServerRefused(
    `${action}: expected Redis to apply it, came a refusal (${codeOf(error)}). Nothing was changed: ${adviceFor(error)}.`,
    { cause: error },
  );
}

function unanswered({ sent, cause }: WireFailed, action: string): Error {
  if (sent) {
    return new OutcomeUnknown(
      `${action}: expected an answer of Redis, came none (${codeOf(cause)}): it may have applied it or not. Look before ` +
        'you repeat a push: a second copy may be stored.',
      { cause },
    );
  }
  return new ConnectionFailed(
    `${action}: expected a connection to Redis, came none (${codeOf(cause)}). Nothing was sent: try again; if it stays, ` +
      'check that the server runs and that its address and password are right.',
    { cause },
  );
}

function adviceFor({ message }: Error): string {
  if (message.startsWith('NOPERM')) return 'docs/redis.md lists the commands and keys that the user needs';
  if (message.startsWith('WRONGTYPE')) {
    return 'a key of the queue holds something else; find what writes to it, or give the queue a prefix of its own';
  }
  if (message.startsWith('OOM')) return "the server's memory limit is reached; make room, then try again";
  return 'try again after a pause, as a worker does by itself';
}

/** A code, never the message: that may quote arguments. */
function codeOf(error: unknown): string {
  if (isReply(error)) return /^[A-Z]+/.exec(error.message)?.[0] ?? 'an error';
  if (!(error instanceof Error)) return 'connection closed';
  const inner = error.cause === undefined ? '' : `, ${codeOf(error.cause)}`;
  if ('code' in error) return String(error.code);
  return error.message.startsWith('no answer within') ? `${error.message}${inner}` : 'connection closed';
}

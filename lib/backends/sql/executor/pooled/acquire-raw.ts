import { AcquireFailed } from '../acquire-failed.js';
import type { RawPool } from './raw-pool.js';

/**
 * Waits for a connection of the pool, at most so long. What comes after the wait was given up goes straight back.
 *
 * @throws AcquireFailed `timeout` when none was free in time, `lost` at once when none can be opened
 */
export function acquireRaw(pool: RawPool, timeoutMs: number): Promise<object> {
  return new Promise((resolve, reject) => {
    const { connection, leave } = pool.ask();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(timedOut(timeoutMs));
      leave();
    }, timeoutMs);
    connection.then(
      (raw) => {
        clearTimeout(timer);
        if (late) pool.giveBack(raw);
        else resolve(raw);
      },
      (error: unknown) => {
        clearTimeout(timer);
        if (!late) reject(isPoolTimeout(error) ? timedOut(timeoutMs, error) : lost(error));
      },
    );
  });
}

/** No connection is to be had, whatever the reason. */
export function lost(cause: unknown): AcquireFailed {
  return new AcquireFailed('lost', 'No connection to the database can be opened.', { cause });
}

function timedOut(timeoutMs: number, cause?: unknown): AcquireFailed {
  return new AcquireFailed('timeout', `No connection of the queue's pool was free for ${timeoutMs} ms.`, {
    cause,
  });
}

/** The application may have given the pool a shorter wait of its own: tarn and pg-pool say so in this way. */
function isPoolTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || error.message === 'timeout exceeded when trying to connect')
  );
}

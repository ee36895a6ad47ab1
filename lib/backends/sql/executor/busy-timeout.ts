import { prepareOn, type BetterSqliteHandle } from './better-sqlite.session.js';

/**
 * The longest time in milliseconds that one statement of the queue waits for a lock of another connection. SQLite waits
 * by stopping this process's event loop, so the queue waits in short slices and lets the loop turn between them.
 */
export const LOCK_SLICE_MS = 100;

/** Shortens SQLite's wait for the queue's statements; the function that comes back restores the application's. */
export function limitBusyTimeout(handle: BetterSqliteHandle): () => void {
  const current = prepareOn(handle, 'pragma busy_timeout').all()[0]?.['timeout'];
  if (typeof current !== 'number' || current <= LOCK_SLICE_MS) return () => undefined;
  setBusyTimeout(handle, LOCK_SLICE_MS);
  return () => {
    if (handle.open) setBusyTimeout(handle, current);
  };
}

/** Prepared anew each time: SQLite runs this pragma while it is prepared. */
function setBusyTimeout(handle: BetterSqliteHandle, milliseconds: number): void {
  handle.prepare(`pragma busy_timeout = ${milliseconds}`).all();
}

import { prepareOn, type BetterSqliteHandle } from './better-sqlite.session.js';

/**
 * SQLite waits for a lock of another process by stopping this one's event loop. A wait longer than a lease would let
 * the lease lapse unseen, so it is shortened for the queue's statements and put back after them.
 */
export function limitBusyTimeout(handle: BetterSqliteHandle, limitMs: number): () => void {
  const current = prepareOn(handle, 'pragma busy_timeout').all()[0]?.['timeout'];
  if (typeof current !== 'number' || current <= limitMs) return () => undefined;
  handle.prepare(`pragma busy_timeout = ${Math.max(1, Math.floor(limitMs))}`).all();
  return () => {
    if (handle.open) handle.prepare(`pragma busy_timeout = ${current}`).all();
  };
}

/** How long this process may work on a database in its own thread before it looks at anything else, in milliseconds. */
const LONGEST_STRETCH_MS = 10;

/** Kept, so that a test which replaces the timers of its process does not stop the queue. */
const nextTurn = setImmediate;

let lastTurn = 0;

/**
 * SQLite answers within the calling thread, so a loop that awaits only the queue would never let timers, signals and
 * requests through. Resolves after a turn of the event loop when the last one is too long ago, else at once.
 */
export async function eventLoopTurn(): Promise<void> {
  if (performance.now() - lastTurn < LONGEST_STRETCH_MS) return;
  await new Promise((resolve) => nextTurn(resolve));
  lastTurn = performance.now();
}

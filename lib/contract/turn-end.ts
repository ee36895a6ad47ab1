/**
 * Runs something when the promises that are settled now have run on, and so have those who wait for no more than that,
 * and before the process turns to the next event: what belongs together has come by then, and nothing waited for a timer.
 */
export function atTurnEnd(run: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(run)));
}

import { createHook } from 'node:async_hooks';

/** Counts what the event loop is asked for: promises (those that an `await` makes within V8 too), timers, turns. */
export function countResources() {
  const counts = { promises: 0, timers: 0, 'turns of the event loop': 0, 'other asynchronous resources': 0 };
  const names = { PROMISE: 'promises', Timeout: 'timers', Immediate: 'turns of the event loop' };
  const hook = createHook({
    init(_id, type) {
      counts[names[type] ?? 'other asynchronous resources'] += 1;
    },
  });
  return {
    start: () => void hook.enable(),
    stop() {
      hook.disable();
      return counts;
    },
  };
}

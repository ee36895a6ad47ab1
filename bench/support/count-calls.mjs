/** Counts calls of built-in functions, from `start()` to `stop()`. To be made before anything is imported. */
export function countCalls() {
  const counts = {};
  let counting = false;
  const count = (name) => {
    if (counting) counts[name] += 1;
  };
  const wrap = (owner, key, name) => {
    const original = owner[key];
    counts[name] ??= 0;
    owner[key] = function (...args) {
      count(name);
      return Reflect.apply(original, this, args);
    };
  };
  const wrapClass = (key, name) => {
    counts[name] = 0;
    globalThis[key] = new Proxy(globalThis[key], {
      construct(target, args, newTarget) {
        count(name);
        return Reflect.construct(target, args, newTarget);
      },
    });
  };
  wrap(JSON, 'parse', 'JSON.parse');
  wrap(JSON, 'stringify', 'JSON.stringify');
  wrap(Date, 'now', 'Date.now, Date.parse');
  wrap(Date, 'parse', 'Date.now, Date.parse');
  wrapClass('Date', 'new Date');
  wrap(performance, 'now', 'performance.now');
  wrapClass('AbortController', 'new AbortController');
  wrap(EventTarget.prototype, 'addEventListener', 'addEventListener');
  for (const key of ['get', 'has']) wrap(Map.prototype, key, 'look-ups in a Map');
  for (const key of ['set', 'delete']) wrap(Map.prototype, key, 'changes of a Map');
  for (const key of ['add', 'delete']) wrap(Set.prototype, key, 'changes of a Set');
  for (const key of ['get', 'has']) wrap(WeakMap.prototype, key, 'look-ups in a WeakMap or WeakSet');
  wrap(WeakSet.prototype, 'has', 'look-ups in a WeakMap or WeakSet');
  // `test` calls it.
  wrap(RegExp.prototype, 'exec', 'regular expressions run');
  for (const key of ['keys', 'values', 'entries']) wrap(Object, key, 'Object.keys, values, entries');
  for (const key of ['map', 'filter', 'some', 'slice'])
    wrap(Array.prototype, key, 'Array map, filter, some, slice');
  return {
    start: () => void (counting = true),
    stop() {
      counting = false;
      return counts;
    },
  };
}

import { Session } from 'node:inspector';
import { PerformanceObserver } from 'node:perf_hooks';
import { basename, dirname } from 'node:path';

/** Bytes that were allocated, exact as long as the garbage collector does not run; it refuses to answer where it did. */
export function allocatedBytes() {
  let heapBefore = 0;
  let startedAt = Infinity;
  let collections = 0;
  const count = (entries) => {
    collections += entries.filter((entry) => entry.startTime > startedAt).length;
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  return {
    start() {
      observer.observe({ entryTypes: ['gc'] });
      globalThis.gc();
      heapBefore = process.memoryUsage().heapUsed;
      startedAt = performance.now();
    },
    stop() {
      const bytes = process.memoryUsage().heapUsed - heapBefore;
      count(observer.takeRecords());
      observer.disconnect();
      if (collections === 0) return { 'bytes allocated': bytes };
      throw new Error(
        `Expected no collection of garbage while bytes are counted, came ${collections}. Measure fewer jobs.`,
      );
    },
  };
}

/** The functions that allocate most, by a sample of every kilobyte; what was collected again is part of it. */
export function allocationsByFunction() {
  const session = new Session();
  session.connect();
  return {
    start() {
      session.post('HeapProfiler.startSampling', {
        samplingInterval: 1_024,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
    },
    stop() {
      let root;
      session.post('HeapProfiler.stopSampling', (_error, { profile }) => (root = profile.head));
      session.disconnect();
      const sizes = new Map();
      for (const pending = [root]; pending.length > 0;) {
        const { callFrame, selfSize, children } = pending.pop();
        pending.push(...children);
        const { functionName, url, lineNumber } = callFrame;
        const file = `${basename(dirname(url))}/${basename(url)}:${lineNumber + 1}`;
        const name = `${functionName || '(anonymous)'} ${url === '' ? '' : file}`;
        sizes.set(name, (sizes.get(name) ?? 0) + selfSize);
      }
      const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 30);
      return Object.fromEntries(largest);
    },
  };
}

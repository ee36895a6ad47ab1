import { readdirSync, readlinkSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Samples the process that it is called in. */
export function processSampler() {
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  return () => {
    const [lagP99Ms, lagMaxMs] = [lag.percentile(99), lag.max].map((nanos) => nanos / 1e6);
    collectGarbage();
    const { heapUsed, rss } = process.memoryUsage();
    // Not the pause that the collection has just made.
    lag.reset();
    return { heapBytes: heapUsed, rssBytes: rss, sockets: openSockets(), lagP99Ms, lagMaxMs };
  };
}

/** null where the operating system does not say. */
function openSockets() {
  const folder = '/proc/self/fd';
  try {
    return readdirSync(folder).filter((fd) => isSocket(`${folder}/${fd}`)).length;
  } catch {
    return null;
  }
}

function isSocket(path) {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // Closed by now, as the one that reads the folder is.
    return false;
  }
}

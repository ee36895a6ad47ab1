import type { SourceMutants, SourcePatch } from './mutant.js';

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/backends/memory/${name}.ts`, find, replace };
}

function caughtBy(...cases: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { suite: 'memory', cases };
}

export const memoryMutants: SourceMutants = {
  'memory ignores which delivery settles': {
    patches: [
      code(
        'memory-backend',
        "entry.state !== 'reserved' || entry.serial !== serial",
        "entry.state !== 'reserved'",
      ),
    ],
    caughtBy: caughtBy('stale: ack after a reclaim is stale and changes nothing'),
  },
  'memory drops jobs that fall due': {
    patches: [code('memory-queue', '      this.#ready.push(due);\n', '')],
    caughtBy: caughtBy('delays: a delayed job comes when its delay is over, and not before'),
  },
  'memory reclaims without counting the attempt': {
    patches: [code('memory-queue', '{ attempts: attempts + 1 }', '{ attempts }')],
    caughtBy: caughtBy('attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'),
  },
  'memory keeps the reservation of a job that it releases': {
    patches: [
      code(
        'memory-queue',
        '    this.#reserved.delete(entry);\n    changeHeader(entry, changes);',
        '    changeHeader(entry, changes);',
      ),
    ],
    caughtBy: caughtBy('counts: counts follow a job through its life'),
  },
};

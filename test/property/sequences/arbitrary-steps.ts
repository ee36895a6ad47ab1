import * as fc from 'fast-check';
import type { Capabilities } from '../../../lib/contract/index.js';
import type { ConformanceHarness } from '../../../lib/testing.js';
import type { Ending, PushedEntry, Step } from './step.js';

type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> };

/** Priorities that a backend with a few levels keeps apart too. */
const LEVELS = [-100, 0, 100];
const MANY_LEVELS = [-100, -1, 0, 1, 100];

const queue = fc.nat({ max: 1 });
const by = fc.nat({ max: 1 });
const pick = fc.nat({ max: 20 });
const delay = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
const ending = fc.constantFrom<Ending>('ack', 'release', 'give-back', 'defer', 'fail');

function entryFor({ priorityLevels, unique, extend }: Capabilities): fc.Arbitrary<PushedEntry> {
  const priorities = { full: MANY_LEVELS, levels: LEVELS, none: [0] }[priorityLevels];
  return fc.record({
    delay,
    priority: fc.oneof(fc.constant(0), fc.constantFrom(...priorities)),
    key: unique ? fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 2 }) : fc.constant(null),
    brief: extend ? fc.boolean() : fc.constant(false),
  });
}

function of<Kind extends Step['kind']>(
  weight: number,
  kind: Kind,
  fields: { readonly [name: string]: fc.Arbitrary<unknown> },
): Weighted {
  return { weight, arbitrary: fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<never> };
}

/** Steps for what every backend can do. */
function always(capabilities: Capabilities): Weighted[] {
  const queues = fc.constantFrom([0], [1], [0, 1], [1, 0]);
  const entries = fc.array(entryFor(capabilities), { minLength: 1, maxLength: 4 });
  return [
    of(8, 'push', { queue, by, entries }),
    of(8, 'reserve', { queues, limit: fc.integer({ min: 1, max: 5 }), by }),
    of(9, 'settle', { pick, how: ending, delay }),
  ];
}

/** Sequences of steps that a backend with these capabilities offers; the same steps on all that offer the same. */
export function arbitrarySteps(
  { capabilities, facilities }: Pick<ConformanceHarness, 'capabilities' | 'facilities'>,
  longest: number,
): fc.Arbitrary<readonly Step[]> {
  const { fencedSettlement, extend, exactCounts, clear, failedJobs, pause, browse } = capabilities;
  const again = fc.oneof(ending, fc.constant<'extend'>('extend'));
  const units = fc.integer({ min: 1, max: 6 });
  const steps = [
    ...always(capabilities),
    ...(fencedSettlement ? [of(2, 'settle-again', { pick, how: again })] : []),
    ...(extend ? [of(3, 'extend', { pick, units })] : []),
    ...(facilities.includes('clock') ? [of(4, 'advance', { units: fc.integer({ min: 1, max: 5 }) })] : []),
    ...(exactCounts ? [of(2, 'count', { queue })] : []),
    ...(clear ? [of(1, 'clear', { queue })] : []),
    ...(failedJobs === 'no' ? [] : [of(3, 'retry', { pick }), of(1, 'forget', { pick })]),
    ...(failedJobs === 'no' ? [] : [of(1, 'retry-all', { queue }), of(1, 'flush', { queue })]),
    ...(pause ? [of(1, 'pause', { queue }), of(2, 'resume', { queue })] : []),
    ...(browse ? [of(1, 'promote', { pick }), of(1, 'remove', { pick })] : []),
  ];
  return fc.array(fc.oneof(...steps), { minLength: 1, maxLength: longest, size: 'max' });
}

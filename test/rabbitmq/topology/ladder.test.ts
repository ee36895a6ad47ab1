import { expect, it } from 'vitest';
import { InvalidQueueArgumentException } from '../../../lib/contract/index.js';
import {
  type BindingDeclaration,
  highestTier,
  LADDER_TIERS,
  ladderKey,
  ladderQueues,
  ladderSeconds,
  ladderTopology,
  MAX_LADDER_SECONDS,
  routeOf,
  topologySettings,
  type Topology,
} from '../../../lib/backends/rabbitmq/topology/index.js';

/** What the broker does with a pattern of a topic binding, spelled out once for all words. */
function matches(pattern: string, key: string): boolean {
  const source = pattern
    .split('.')
    .map((word) => (word === '*' ? '[^.]*' : word === '#' ? '.*' : word))
    .join('\\.')
    .replace('\\..*', '(\\..*)?');
  return new RegExp(`^${source}$`).test(key);
}

/** Follows a message through what was declared and answers where it ends and how long it waited in which queues. */
function follow(
  topology: Topology,
  entry: { readonly exchange: string; readonly routingKey: string },
): { readonly end: string; readonly waits: readonly number[]; readonly key: string } {
  const bindings = topology.filter((step): step is BindingDeclaration => step.kind === 'binding');
  const waits: number[] = [];
  const key = entry.routingKey;
  let { exchange } = entry;
  for (let hop = 0; hop < 60; hop += 1) {
    const ways = bindings.filter((step) => step.exchange === exchange && matches(step.pattern, key));
    expect(ways).toHaveLength(1);
    const to = ways[0]!.to;
    if (to.kind === 'exchange') {
      exchange = to.name;
      continue;
    }
    const queue = topology.find((step) => step.kind === 'queue' && step.name === to.name);
    if (queue?.kind !== 'queue') return { end: to.name, waits, key };
    waits.push(Number(queue.arguments['x-message-ttl']) / 1_000);
    exchange = String(queue.arguments['x-dead-letter-exchange']);
    if (exchange === '') return { end: String(queue.arguments['x-dead-letter-routing-key']), waits, key };
    expect(queue.arguments['x-dead-letter-routing-key']).toBe(undefined);
  }
  throw new Error(`${entry.routingKey} never ended`);
}

const whole = ladderTopology('q', 'classic');
const settings = topologySettings({});

/** Every delay of the first 18 hours, and every eleventh of all others. */
function* delays(): Generator<number> {
  for (let seconds = 1; seconds < 65_536; seconds += 1) yield seconds;
  for (let seconds = 65_536; seconds <= 4_194_303; seconds += 11) yield seconds;
  yield 4_194_303;
}

it('the tiers that a key passes sum to the delay, from 1 to 4,194,303 s', () => {
  const lowestFirst = ladderQueues('q')
    .toReversed()
    .map((name) => {
      const queue = whole.find((step) => step.kind === 'queue' && step.name === name);
      return queue?.kind === 'queue' ? Number(queue.arguments['x-message-ttl']) / 1_000 : Number.NaN;
    });
  const wrong: number[] = [];
  for (const seconds of delays()) {
    const words = ladderKey(seconds).split('.');
    let sum = 0;
    for (const [tier, word] of words.entries()) sum += word === '1' ? (lowestFirst[tier] ?? Number.NaN) : 0;
    const enters = highestTier(seconds);
    if (sum !== seconds || words.length !== enters + 1 || words[enters] !== '1') wrong.push(seconds);
  }
  expect(wrong).toEqual([]);
  expect(lowestFirst.reduce((sum, wait) => sum + wait)).toBe(MAX_LADDER_SECONDS);
});

const sample = new Set<number>();
for (let tier = 0; tier < LADDER_TIERS; tier += 1) {
  for (const near of [-1, 0, 1]) sample.add(2 ** tier + near);
}
for (let seconds = 1; seconds <= MAX_LADDER_SECONDS; seconds += 99_991) sample.add(seconds);
sample.delete(0);
sample.add(3_600).add(MAX_LADDER_SECONDS);

it('a message passes exactly the tiers of its bits, longest first, and arrives with its key', () => {
  for (const seconds of sample) {
    const route = routeOf(settings, 'q', seconds);
    const { end, waits, key } = follow(route.waits, route);
    expect(end).toBe('q');
    expect(key).toBe(route.routingKey);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(seconds);
    expect(waits).toEqual(waits.toSorted((a, b) => b - a));
    expect(new Set(waits).size).toBe(waits.length);
  }
});

it('an hour enters at tier 2048 s and declares twelve tiers', () => {
  const { exchange, waits, routingKey } = routeOf(settings, 'q', 3_600);
  expect(exchange).toBe('q.delay.2048s.in');
  expect(routingKey).toBe('0.0.0.0.1.0.0.0.0.1.1.1');
  expect(waits.filter(({ kind }) => kind === 'queue')).toHaveLength(12);
});

it('every step names only what was declared before it, but for the queue of jobs', () => {
  for (const queueType of ['classic', 'quorum'] as const) {
    const known = new Set(['queue q', 'exchange ']);
    for (const step of ladderTopology('q', queueType)) {
      if (step.kind === 'binding') {
        expect(known).toContain(`exchange ${step.exchange}`);
        expect(known).toContain(`${step.to.kind} ${step.to.name}`);
        continue;
      }
      if (step.kind === 'queue')
        expect(known).toContain(`exchange ${step.arguments['x-dead-letter-exchange']}`);
      known.add(`${step.kind} ${step.name}`);
    }
    expect(known.size).toBe(2 + 2 * LADDER_TIERS);
  }
});

it('a part of the ladder is the beginning of the whole', () => {
  expect(whole.slice(0, ladderTopology('q', 'classic', 4).length)).toEqual(ladderTopology('q', 'classic', 4));
});

it('no tier ever goes away by itself', () => {
  expect(JSON.stringify(whole)).not.toContain('x-expires');
});

it.each([
  [0.001, 1],
  [1, 1],
  [1.000_001, 2],
  [59.2, 60],
  [4_194_302.5, 4_194_303],
  [4_194_303, 4_194_303],
])('a delay of %d s waits %d s', (delay, seconds) => {
  expect(ladderSeconds(delay)).toBe(seconds);
});

it.each([4_194_303.1, 4_194_304, Number.POSITIVE_INFINITY, Number.NaN, 0, -1])(
  'a delay of %d s is refused with what is possible',
  (delay) => {
    expect(() => ladderSeconds(delay)).toThrow(InvalidQueueArgumentException);
    expect(() => ladderSeconds(delay)).toThrow('4194303 seconds');
  },
);

it('a waiting job is met from the top down', () => {
  const queues = ladderQueues('q');
  expect(queues).toHaveLength(22);
  expect(queues[0]).toBe('q.delay.2097152s');
  expect(queues.at(-1)).toBe('q.delay.1s');
});

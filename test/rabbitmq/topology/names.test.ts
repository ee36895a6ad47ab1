import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { InvalidQueueArgumentException, NAME_PATTERN } from '../../../lib/contract/index.js';
import {
  deadQueue,
  MAX_NAME_BYTES,
  routeOf,
  topologySettings,
  type TopologySettings,
  workQueueName,
  workTopology,
} from '../../../lib/backends/rabbitmq/topology/index.js';

const characters = [...'ABCXYZabcdeflmrqsty0123456789_-'];
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 80 }),
  fc.constantFrom('dead', 'delay', 'deferred', 'in', '1s', 'q', 'q-dead', 'q_dead', 'amqp', 'q-delay-1s'),
);
const prefix = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 80 }),
);

/** All names that the queue can ever bring into being, each once, as "kind name". */
function madeBy(settings: TopologySettings, queue: string, delays: readonly number[]): Set<string> {
  const declared = [
    ...workTopology(settings, queue),
    deadQueue(settings, queue),
    ...delays.flatMap((delay) => routeOf(settings, queue, delay).waits),
  ];
  return new Set(declared.flatMap((step) => (step.kind === 'binding' ? [] : [`${step.kind} ${step.name}`])));
}

function both(queuePrefix: string): readonly TopologySettings[] {
  return (['ladder', 'hold'] as const).map((delays) => topologySettings({ queuePrefix, delays }));
}

const delays = fc.array(fc.integer({ min: 1, max: 2_147_483 }), { maxLength: 5 });

it('no name that is made is the name of a queue that the grammar allows', () => {
  fc.assert(
    fc.property(prefix, name, delays, (queuePrefix, queue, seconds) => {
      fc.pre(`${queuePrefix}${queue}` !== 'amq');
      for (const settings of both(queuePrefix)) {
        const made = madeBy(settings, queue, seconds);
        expect(made).toContain(`queue ${queuePrefix}${queue}`);
        const others = [...made]
          .map((entry) => entry.slice(entry.indexOf(' ') + 1))
          .filter((other) => other !== `${queuePrefix}${queue}`);
        expect(others.filter((other) => NAME_PATTERN.test(other) || other.startsWith('amq.'))).toEqual([]);
        expect(Math.max(...others.map((other) => Buffer.byteLength(other)))).toBeLessThanOrEqual(
          MAX_NAME_BYTES,
        );
      }
    }),
    { numRuns: 300 },
  );
});

it('two queues never bring one name into being', () => {
  fc.assert(
    fc.property(prefix, name, name, delays, (queuePrefix, one, other, seconds) => {
      fc.pre(one !== other && ![one, other].some((queue) => `${queuePrefix}${queue}` === 'amq'));
      const [ladder, hold] = both(queuePrefix);
      const mine = [...madeBy(ladder!, one, [4_194_303]), ...madeBy(hold!, one, seconds)];
      const theirs = [...madeBy(ladder!, other, [4_194_303]), ...madeBy(hold!, other, seconds)];
      expect(mine.filter((entry) => theirs.includes(entry))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it('the names of one queue differ from each other', () => {
  const settings = both('')[0]!;
  const declared = [
    ...workTopology(settings, 'q'),
    deadQueue(settings, 'q'),
    ...routeOf(settings, 'q', 4_194_303).waits,
  ];
  const names = declared.flatMap((step) => (step.kind === 'binding' ? [] : [step.name]));
  // The foot of the ladder comes with the queue and with the ladder.
  expect(names.length - new Set(names).size).toBe(1);
});

it('a queue whose dead letters RabbitMQ would refuse to keep is refused, unless a prefix goes before it', () => {
  expect(() => workQueueName('', 'amq')).toThrow(InvalidQueueArgumentException);
  expect(() => workQueueName('a', 'mq')).toThrow('queuePrefix');
  expect(workQueueName('shop-', 'amq')).toBe('shop-amq');
  expect(workQueueName('', 'amqp')).toBe('amqp');
});

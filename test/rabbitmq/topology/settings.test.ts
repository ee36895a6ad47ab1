import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueConfigurationException } from '../../../lib/contract/index.js';
import {
  deadQueue,
  topologyCapabilities,
  type TopologyOptions,
  topologySettings,
  workTopology,
} from '../../../lib/backends/rabbitmq/topology/index.js';

it('without options: classic queues with ten levels for priorities, the ladder, no bound in time', () => {
  expect(topologySettings({})).toEqual({
    prefix: '',
    queueType: 'classic',
    delays: 'ladder',
    maxPriority: 10,
    messageTtlMs: null,
    holdGranularityMs: 1_000,
  });
});

it.each<[unknown, string]>([
  [{ queuePrefix: 'shop.' }, 'queuePrefix: expected up to 80 of the characters'],
  [{ queuePrefix: 'a'.repeat(81) }, 'came "aaaa'],
  [{ queuePrefix: 7 }, 'came 7'],
  [{ queueType: 'stream' }, `queueType: expected 'classic' or 'quorum', came "stream"`],
  [{ delays: 'plugin' }, `delays: expected 'ladder' or 'hold', came "plugin"`],
  [{ maxPriority: 1 }, 'would share levels'],
  [{ maxPriority: 2 }, 'would share levels'],
  [{ maxPriority: 256 }, '0 (no levels) or an integer from 3 to 255, came 256'],
  [{ maxPriority: 4.5 }, 'came 4.5'],
  [{ maxPriority: -1 }, 'came -1'],
  [{ maxPriority: '10' }, 'came "10"'],
  [{ queueType: 'quorum', maxPriority: 10 }, 'quorum queues, which have no priority levels'],
  [{ messageTtl: 0 }, 'messageTtl: expected an integer of milliseconds from 1 to 4294967295, came 0'],
  [{ messageTtl: 4_294_967_296 }, 'came 4294967296'],
  [{ messageTtl: 1.5 }, 'came 1.5'],
  [{ messageTtl: Number.NaN }, 'came NaN'],
  [{ messageTtl: '60000' }, 'came "60000"'],
  [
    { holdGranularityMs: 99 },
    'holdGranularityMs: expected an integer of milliseconds from 100 to 2147483647',
  ],
  [{ holdGranularityMs: 2_147_483_648 }, 'came 2147483648'],
])('%j is refused: %s', (options, message) => {
  expect(() => topologySettings(options as TopologyOptions)).toThrow(QueueConfigurationException);
  expect(() => topologySettings(options as TopologyOptions)).toThrow(message);
});

it('a time to live is within what the broker takes, and sends to the dead letters, which are there first', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 2 ** 33 })), (messageTtl) => {
      if (messageTtl < 1 || messageTtl > 4_294_967_295) {
        expect(() => topologySettings({ messageTtl })).toThrow(QueueConfigurationException);
        return;
      }
      const [dead, work] = workTopology(topologySettings({ messageTtl }), 'q');
      expect(dead).toMatchObject({ kind: 'queue', name: 'q.dead' });
      expect(work).toMatchObject({
        name: 'q',
        arguments: {
          'x-message-ttl': messageTtl,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': 'q.dead',
        },
      });
    }),
  );
});

describe('the queue of jobs', () => {
  it.each<[string, TopologyOptions, object]>([
    ['classic', {}, { 'x-queue-type': 'classic', 'x-max-priority': 10 }],
    ['classic without levels', { maxPriority: 0 }, { 'x-queue-type': 'classic' }],
    ['quorum', { queueType: 'quorum' }, { 'x-queue-type': 'quorum', 'x-delivery-limit': 2_147_483_647 }],
    [
      'quorum with a time to live keeps a job until the dead letters have it',
      { queueType: 'quorum', messageTtl: 60_000 },
      {
        'x-queue-type': 'quorum',
        'x-delivery-limit': 2_147_483_647,
        'x-message-ttl': 60_000,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': 'q.dead',
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    ],
  ])('%s', (_title, options, args) => {
    const work = workTopology(topologySettings(options), 'q').find(
      (step) => step.kind === 'queue' && step.name === 'q',
    );
    expect(work).toEqual({ kind: 'queue', name: 'q', durable: true, arguments: args });
  });

  it('comes with the end of the ladder, whose binding a deleted queue takes along', () => {
    expect(workTopology(topologySettings({}), 'q').slice(1)).toEqual([
      { kind: 'exchange', name: 'q.delay.1s.in', type: 'topic', durable: true },
      { kind: 'binding', exchange: 'q.delay.1s.in', pattern: '0.#', to: { kind: 'queue', name: 'q' } },
    ]);
    expect(workTopology(topologySettings({ delays: 'hold' }), 'q')).toHaveLength(1);
  });

  it('has classic dead letters, whatever it is itself', () => {
    const { prefix } = topologySettings({ queueType: 'quorum', queuePrefix: 'p_' });
    expect(deadQueue({ prefix }, 'q')).toEqual({
      kind: 'queue',
      name: 'p_q.dead',
      durable: true,
      arguments: { 'x-queue-type': 'classic' },
    });
  });
});

it.each<[TopologyOptions, object]>([
  [{}, { priorityLevels: 'levels', maxPushDelaySeconds: 4_194_303, clear: true, countsCrashes: false }],
  [{ maxPriority: 0 }, { priorityLevels: 'none' }],
  [{ queueType: 'quorum' }, { priorityLevels: 'none', countsCrashes: true, delayGranularitySeconds: 1 }],
  [
    { delays: 'hold' },
    {
      maxPushDelaySeconds: 2_147_483,
      maxReleaseDelaySeconds: 2_147_483,
      delayGranularitySeconds: 1,
      clear: false,
    },
  ],
  [
    { delays: 'hold', holdGranularityMs: 60_000 },
    { maxPushDelaySeconds: 2_147_460, delayGranularitySeconds: 60 },
  ],
])('%j can do %j', (options, capabilities) => {
  expect(topologyCapabilities(topologySettings(options))).toMatchObject(capabilities);
});

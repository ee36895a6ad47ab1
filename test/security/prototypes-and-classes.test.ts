import { describe, expect, test } from 'vitest';
import { encodeBody, type NewJob, newHeader, QueuedJob, type WireValue } from '../../lib/contract/index.js';
import {
  Handle,
  Job,
  jobDefinition,
  JobRegistry,
  rebuildJob,
  redactArguments,
  secretsOf,
} from '../../lib/jobs/index.js';
import type { Session } from '../../lib/testing/conformance/session.js';
import { memory } from '../../lib/backends/memory/index.js';
import { bareContext } from '../support/bare-context.js';
import { WorkerBench } from '../support/worker-bench.js';
import { LONG } from '../support/long.js';
import { seeded } from './support/hostile-text.js';
import { testedStores } from './support/stores.js';
import { withSession } from './support/with-session.js';

const SEED = Number(process.env['KINETIS_TEST_SEED'] ?? 20_261_130);
const TOTAL = 10_000;
const EACH = LONG ? TOTAL : Math.ceil(TOTAL / testedStores.length / 100) * 100;

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  '__defineGetter__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  'a',
];

/** A JSON text whose keys are those that merges and look-ups stumble over, at any depth. */
function hostileJson(random: () => number, depth: number): string {
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? '';
  if (depth === 0) return pick(['true', '1', '"polluted"', 'null', '[]', '{}']);
  if (random() < 0.2) return `[${hostileJson(random, depth - 1)}]`;
  const keys = [...new Set([pick(KEYS), pick(KEYS), pick(KEYS)])];
  return `{${keys.map((key) => `"${key}":${hostileJson(random, depth - 1)}`).join(',')},"polluted":true}`;
}

@Job({ args: ['payload'] })
class Carry {
  constructor(readonly payload: WireValue) {}

  @Handle()
  handle(): void {}
}

const definition = jobDefinition(Carry);

/** Its parameter has a name that every object answers to. */
@Job({ args: ['valueOf'] })
class Odd {
  constructor(readonly valueOf: WireValue) {}

  @Handle()
  handle(): void {}
}

const WATCHED = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Error.prototype,
  Promise.prototype,
  Map.prototype,
  Carry.prototype,
  Object,
  Array,
  Carry,
  QueuedJob.prototype,
];

/** Every own property of what everything inherits from. */
function snapshot(): unknown {
  return WATCHED.map((each) => [
    Object.getPrototypeOf(each) as unknown,
    Reflect.ownKeys(each).map((key) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(each, key) ?? {};
      return [key, value, get, set] as const;
    }),
  ]);
}

function storedWith(args: string, metadata: string, at: number): NewJob {
  const id = at.toString(16).padStart(32, 'd');
  const body = encodeBody({
    id,
    pushedAt: '2026-01-01T00:00:00.000Z',
    class: 'Carry',
    args: {},
    maxAttempts: null,
    metadata: {},
    chain: [],
  })
    .replace('"args":{}', `"args":${args}`)
    .replace('"metadata":{}', `"metadata":${metadata}`);
  const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
  return { id, queue: '', header, body, delaySeconds: 0 };
}

const METADATA = '{"__proto__":"polluted","constructor":"polluted","polluted":"true"}';

describe.each(testedStores)('keys that name prototypes, on $name,', ({ open }) => {
  let session: Session;
  withSession(open, (opened) => (session = opened));

  test('stay own data of a payload and of metadata, and touch no prototype', async () => {
    const random = seeded(SEED);
    const before = snapshot();
    for (let done = 0; done < EACH; done += 100) {
      const payloads = Array.from({ length: 100 }, () => hostileJson(random, 1 + Math.floor(random() * 6)));
      const jobs = payloads.map((payload, at) => ({
        ...storedWith(`{"payload":${payload}}`, METADATA, done + at),
        queue: session.queue,
      }));
      await session.backend.store(jobs);
      const came = (await session.gather(100)) as QueuedJob[];
      const byId = new Map(came.map((job) => [job.id, job]));
      for (const [at, payload] of payloads.entries()) {
        const job = byId.get(jobs[at]?.id ?? '') as QueuedJob;
        expect(JSON.stringify(job.args['payload'])).toBe(payload);
        expect(JSON.stringify(job.metadata)).toBe(METADATA);
        const rebuilt = rebuildJob(definition, job.args) as Carry;
        expect(JSON.stringify(rebuilt.payload)).toBe(payload);
        expect(Object.getPrototypeOf(rebuilt)).toBe(Carry.prototype);
        redactArguments(definition, job.args);
        secretsOf(null, job.args);
      }
      const acks = came.map(({ handle }) => ({ operation: 'ack', receipt: handle, followUps: [] }) as const);
      await session.backend.settle(acks);
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(snapshot()).toEqual(before);
  }, 120_000);

  test('stay arguments of their own, for which the class refuses the job', async () => {
    const args = '{"payload":1,"__proto__":{"polluted":true}}';
    await session.backend.store([{ ...storedWith(args, METADATA, 0xffff), queue: session.queue }]);
    const job = await session.take();
    expect(JSON.stringify(job.args)).toBe(args);
    expect(() => rebuildJob(definition, job.args)).toThrow('"__proto__"');
    await session.connection.settler.ack(job);
  });

  test('pushed by a job, in arguments and metadata, do so too', async () => {
    const before = snapshot();
    const payload = JSON.parse(hostileJson(seeded(SEED + 1), 6)) as WireValue;
    const metadata = JSON.parse(METADATA) as Record<string, string>;
    await session.api.push(new Carry(payload), { queue: session.queue, metadata });
    const job = await session.take();
    expect(JSON.stringify(job.args['payload'])).toBe(JSON.stringify(payload));
    expect(JSON.stringify(job.metadata)).toBe(METADATA);
    await session.connection.settler.ack(job);
    expect(snapshot()).toEqual(before);
  });
});

const NAMES = [
  ...KEYS,
  '__lookupGetter__',
  'Object',
  'Function',
  'eval',
  'process',
  'require',
  'globalThis',
  '../x',
  '../../etc/passwd',
  '/dev/null',
  'file:///etc/passwd',
  'node:child_process',
  'carry',
  'Carry ',
  ' Carry',
  'Carry\0',
  'Carry.constructor',
  'Carry.prototype',
  '${Carry}',
  '\u{1f600}',
  'x'.repeat(100_000),
  '0',
  'null',
  'undefined',
];

describe('a class name that nobody listed', () => {
  test.each(NAMES.map((name) => [name.slice(0, 40), name] as const))(
    'is unknown to the registry: %j',
    (_short, name) => {
      const registry = new JobRegistry();
      registry.add(definition);
      expect(registry.find(name) ?? null).toBeNull();
    },
  );

  test('fails its job, for which nothing is constructed or run, and the worker goes on', async () => {
    const backend = await memory()(bareContext());
    const bench = new WorkerBench(backend);
    const before = snapshot();
    const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
    const jobs = NAMES.map((name, at) => {
      const id = at.toString(16).padStart(32, 'e');
      const pushedAt = '2026-01-01T00:00:00.000Z';
      const body = encodeBody({
        id,
        pushedAt,
        class: name,
        args: { label: 'x' },
        maxAttempts: 1,
        metadata: {},
        chain: [],
      });
      return { id, queue: 'default', header, body, delaySeconds: 0 };
    });
    await backend.store(jobs);
    await bench.push('after them');
    const worker = bench.worker({ schemaGraceSeconds: 0 });
    for (let left = NAMES.length + 1; left > 0; left -= 1) {
      expect(await worker.processNext(1, ['default'])).toBe(true);
    }
    expect(bench.begun).toEqual(['after them']);
    expect(bench.opened).toBe(NAMES.length + 1);
    const failed = bench.logged('job.failed');
    expect(failed.map((line) => line['cause'])).toEqual(NAMES.map(() => 'unknown-class'));
    expect(snapshot()).toEqual(before);
    await backend.close();
  });

  test.each([
    '{"__proto__":{"payload":1}}',
    '{"constructor":1}',
    '{"payload":1,"__proto__":1}',
    '{"payload":1,"toString":1}',
  ])('arguments that a class does not have are refused: %s', (json) => {
    expect(() => rebuildJob(definition, JSON.parse(json) as Record<string, WireValue>)).toThrow(/argument/);
  });

  test('an argument that is not stored is not taken from what every object inherits', () => {
    expect(() => rebuildJob(jobDefinition(Odd), { other: 1 })).toThrow('no argument "valueOf" is stored');
  });
});

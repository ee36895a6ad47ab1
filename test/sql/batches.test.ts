import { describe, expect, it } from 'vitest';
import { AcquireFailed } from '../../lib/backends/sql/executor/acquire-failed.js';
import { InFlightBatch } from '../../lib/backends/sql/in-flight-batch.js';
import { migrated, newJob } from '../support/sql-files.js';

interface Request {
  readonly key: string;
  readonly broken?: boolean;
}

/** A batch whose steps end when the test says so; it records what each step held. */
function recorded(options: { acquireTimeoutMs?: number; failFirst?: Error } = {}) {
  const steps: string[][] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let failFirst = options.failFirst;
  const batch = new InFlightBatch<Request, string>({
    maxSize: 3,
    acquireTimeoutMs: options.acquireTimeoutMs ?? 60_000,
    keysOf: ({ key }) => [key],
    sizeOf: () => 1,
    mayBeTaken: ({ key }) => key.startsWith('ack'),
    neverRan: (error) => error instanceof AcquireFailed,
    mayBeOnesFault: (error) => error instanceof RangeError,
    async run(requests) {
      steps.push(requests.map(({ key }) => key));
      await gate;
      if (failFirst !== undefined) {
        const error = failFirst;
        failFirst = undefined;
        throw error;
      }
      if (requests.some(({ broken }) => broken === true)) throw new RangeError('broken');
      return requests.map(({ key }) => `done ${key}`);
    },
  });
  return { batch, steps, open };
}

describe('requests in flight together', () => {
  it('become one step when they come in one turn of the event loop, and nothing runs', async () => {
    const { batch, steps, open } = recorded();
    open();
    const outcomes = [...batch.add([{ key: 'a' }]), ...batch.add([{ key: 'b' }])];
    const inItsWake = Promise.resolve().then(() => batch.add([{ key: 'c' }])[0]);
    expect(await Promise.all([...outcomes, inItsWake])).toEqual(['done a', 'done b', 'done c']);
    expect(steps).toEqual([['a', 'b', 'c']]);
  });

  it('become one step, formed only while another step runs', async () => {
    const { batch, steps, open } = recorded();
    const first = batch.add([{ key: 'a' }]);
    await new Promise(setImmediate);
    const later = [...batch.add([{ key: 'b' }]), ...batch.add([{ key: 'c' }])];
    expect(steps).toEqual([['a']]);
    open();
    expect(await Promise.all([...first, ...later])).toEqual(['done a', 'done b', 'done c']);
    expect(steps).toEqual([['a'], ['b', 'c']]);
  });

  it('never hold the same receipt twice in one step', async () => {
    const { batch, steps, open } = recorded();
    const outcomes = batch.add([{ key: 'a' }, { key: 'a' }, { key: 'b' }]);
    open();
    await Promise.all(outcomes);
    expect(steps).toEqual([['a'], ['a', 'b']]);
  });

  it('are split at the largest size of a step', async () => {
    const { batch, steps, open } = recorded();
    const outcomes = batch.add(['a', 'b', 'c', 'd'].map((key) => ({ key })));
    open();
    await Promise.all(outcomes);
    expect(steps.map((step) => step.length)).toEqual([3, 1]);
  });

  it('are tried one by one when their step was refused for certain', async () => {
    const { batch, steps, open } = recorded();
    const outcomes = batch.add([{ key: 'a' }, { key: 'b', broken: true }, { key: 'c' }]);
    open();
    const settled = await Promise.allSettled(outcomes);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(steps).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('are tried again together when their step got no connection and their own time is not over', async () => {
    const { batch, steps, open } = recorded({ failFirst: new AcquireFailed('timeout', 'none') });
    const outcomes = batch.add([{ key: 'a' }]);
    open();
    expect(await Promise.all(outcomes)).toEqual(['done a']);
    expect(steps).toEqual([['a'], ['a']]);
  });
});

describe('requests that another step can take along', () => {
  const turn = () => new Promise(setImmediate);

  it('wait while such a step is under way, and run when none took them', async () => {
    const { batch, steps, open } = recorded();
    open();
    const release = batch.hold(60_000);
    const outcomes = batch.add([{ key: 'ack 1' }]);
    await turn();
    expect(steps).toEqual([]);
    release();
    expect(await Promise.all(outcomes)).toEqual(['done ack 1']);
  });

  it('wait no longer than they are held', async () => {
    const { batch, open } = recorded();
    open();
    batch.hold(1);
    expect(await Promise.all(batch.add([{ key: 'ack 1' }]))).toEqual(['done ack 1']);
  });

  it('are taken, and answered by that step', async () => {
    const { batch, steps } = recorded();
    batch.hold(60_000);
    const outcomes = batch.add([{ key: 'ack 1' }, { key: 'ack 2' }]);
    const taken = batch.take();
    expect(taken?.requests.map(({ key }) => key)).toEqual(['ack 1', 'ack 2']);
    taken?.answer(['taken 1', 'taken 2']);
    expect(await Promise.all(outcomes)).toEqual(['taken 1', 'taken 2']);
    expect(batch.take()).toBeNull();
    expect(steps).toEqual([]);
  });

  it('keep nothing waiting that is not taken, though one such step follows another', async () => {
    const { batch, steps, open } = recorded();
    open();
    let release = batch.hold(60_000);
    const renewals = batch.add([{ key: 'extend 1' }]);
    for (let times = 0; times < 20; times += 1) {
      await turn();
      const before = release;
      release = batch.hold(60_000);
      before();
    }
    expect(steps).toEqual([['extend 1']]);
    await Promise.all(renewals);
  });

  it('leave one behind that an earlier one of its delivery is behind', async () => {
    const { batch, steps, open } = recorded();
    const outcomes = batch.add([{ key: 'ack 1' }, { key: 'ack 1' }]);
    expect(batch.take()?.requests).toHaveLength(1);
    open();
    expect(await outcomes[1]).toBe('done ack 1');
    expect(steps).toEqual([['ack 1']]);
  });

  it('go alone where the step that took them failed by a fault that may be its own', async () => {
    const { batch, steps, open } = recorded();
    open();
    const outcomes = batch.add([{ key: 'ack 1' }]);
    batch.take()?.fail(new RangeError('broken'));
    expect(await Promise.all(outcomes)).toEqual(['done ack 1']);
    expect(steps).toEqual([['ack 1']]);
  });

  it('fail with the step that took them where nobody knows how far it came', async () => {
    const { batch, steps } = recorded();
    const outcomes = batch.add([{ key: 'ack 1' }]);
    batch.take()?.fail(new Error('connection lost'));
    await expect(outcomes[0]).rejects.toThrow('connection lost');
    await turn();
    expect(steps).toEqual([]);
  });
});

describe('the sql backend under many requests at once', () => {
  it('answers each settlement for itself', async () => {
    const { backend } = await migrated();
    await backend.store(Array.from({ length: 100 }, () => newJob()));
    const items = await backend.reserve(['mail'], 100);
    const twice = [...items, ...items].map(({ receipt }) =>
      backend.settle([{ operation: 'ack', receipt, followUps: [] }]),
    );
    const statuses = (await Promise.all(twice)).flat().map(({ status }) => status);
    expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'applied'));
    expect(statuses.slice(100)).toEqual(Array.from({ length: 100 }, () => 'stale'));
  });

  it('fails only the store whose job cannot be stored, and stores none of its jobs', async () => {
    const { backend } = await migrated();
    const broken = newJob({ header: { priority: null as never } });
    const results = await Promise.allSettled([
      backend.store([newJob()]),
      backend.store([newJob(), newJob()]),
      backend.store([newJob(), broken]),
      backend.store([newJob()]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((await backend.count('mail')).ready).toBe(4);
  });

  it('settles the others when one follow-up cannot be stored, and leaves that delivery reserved', async () => {
    const { backend } = await migrated();
    await backend.store([newJob(), newJob(), newJob()]);
    const items = await backend.reserve(['mail'], 3);
    const followUps = [newJob({ header: { priority: null as never } })];
    const results = await Promise.allSettled(
      items.map(({ receipt }, index) =>
        backend.settle([{ operation: 'ack', receipt, followUps: index === 1 ? followUps : [] }]),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 1 });
  });

  it('brings back at most 100 due jobs a sweep, and all of them in the end', async () => {
    const { backend, orm } = await migrated();
    await backend.store(Array.from({ length: 250 }, () => newJob({ delaySeconds: 60 })));
    await orm.em.getConnection().execute('update kinetis_queue_jobs set due_at = due_at - 120000');
    const sweeps: number[] = [];
    for (let sweep = 0; sweep < 4; sweep += 1) sweeps.push((await backend.reserve(['mail'], 1_000)).length);
    expect(sweeps).toEqual([100, 100, 50, 0]);
  });

  it('lets timers through while a loop awaits nothing but the queue', async () => {
    const { backend } = await migrated();
    const timer = new AbortController();
    setTimeout(() => timer.abort(), 0);
    for (let round = 0; round < 20_000 && !timer.signal.aborted; round += 1) {
      await backend.store([newJob()]);
      const [item] = await backend.reserve(['mail'], 1);
      await backend.settle([{ operation: 'ack', receipt: item?.receipt, followUps: [] }]);
    }
    expect(timer.signal.aborted).toBe(true);
  });

  it('stores ten thousand jobs in one step', async () => {
    const { backend } = await migrated();
    const outcomes = await backend.store(Array.from({ length: 10_000 }, () => newJob()));
    expect(outcomes.every(({ status }) => status === 'applied')).toBe(true);
    expect((await backend.count('mail')).ready).toBe(10_000);
    expect(await backend.clear('mail')).toBe(10_000);
  });
});

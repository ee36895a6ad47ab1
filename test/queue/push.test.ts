import { describe, expect, it } from 'vitest';
import {
  InvalidQueueArgumentException,
  OutcomeUnknown,
  PushManyException,
  ServerRefused,
  UnserializableJobException,
} from '../../lib/contract/index.js';
import { Handle, Job } from '../../lib/jobs/index.js';
import { MEMORY_CAPABILITIES } from '../../lib/backends/memory/index.js';
import type { PushOptions } from '../../lib/queue/index.js';
import { queuesOver, StoringBackend } from '../support/fake-backend.js';

@Job({ queue: 'mail', maxAttempts: 4, priority: 2, leaseSeconds: 30 })
class Send {
  constructor(readonly to: unknown) {}

  @Handle()
  handle(): void {}
}

@Job()
class Once {
  uniqueKey(): string {
    return 'k'.repeat(400);
  }

  handle(): void {}
}

@Job({ connection: 'ledger' })
class Book {
  handle(): void {}
}

const long = 'x'.repeat(81);
const refusedOptions: readonly (readonly [string, unknown, string])[] = [
  ['no object', 7, 'object of options'],
  ['an unknown option', { delay: 3 }, 'unknown option "delay"'],
  ['an empty queue', { queue: '' }, 'queue'],
  ['a queue with a dot', { queue: 'a.b' }, 'queue'],
  ['a queue of 81 characters', { queue: long }, 'queue'],
  ['a queue that ends in a line break', { queue: 'mail\n' }, 'queue'],
  ['a queue that is a number', { queue: 3 }, 'queue'],
  ['a negative delay', { delaySeconds: -1 }, 'delaySeconds'],
  ['an infinite delay', { delaySeconds: Infinity }, 'delaySeconds'],
  ['a delay that is NaN', { delaySeconds: Number.NaN }, 'delaySeconds'],
  ['a delay beyond what a Date can hold', { delaySeconds: 1e300 }, 'delaySeconds: expected at most'],
  ['a delay that is text', { delaySeconds: '3' }, 'delaySeconds'],
  ['negative attempts', { maxAttempts: -1 }, 'maxAttempts'],
  ['a fraction of an attempt', { maxAttempts: 1.5 }, 'maxAttempts'],
  ['a priority of 101', { priority: 101 }, 'priority'],
  ['a priority of -101', { priority: -101 }, 'priority'],
  ['a fractional priority', { priority: 0.5 }, 'priority'],
  ['an empty unique key', { uniqueKey: '' }, 'uniqueKey'],
  ['a unique key of 256 characters', { uniqueKey: 'k'.repeat(256) }, 'uniqueKey'],
  ['metadata that is a list', { metadata: [] }, 'metadata'],
  ['metadata with a number', { metadata: { a: 1 } }, 'metadata'],
  ['metadata of more than 4 KB', { metadata: { a: 'é'.repeat(2_049) } }, 'metadata'],
  ['metadata with half a character', { metadata: { a: '\ud800' } }, 'metadata'],
  ['a transaction where the backend cannot join one', { transaction: {} }, 'transaction'],
];

describe('push()', () => {
  it.each(refusedOptions)(
    'refuses %s before anything is serialized or sent',
    async (_title, options, place) => {
      const backend = new StoringBackend();
      let told = 0;
      const telemetry = { startPush: () => ({ end: () => {}, told: (told += 1) }) };
      const queue = queuesOver({ default: backend }, { telemetry }).default;
      // The argument is one that serialization would refuse: had it come that far, the error would be another.
      const pushed = queue.push(new Send(Number.NaN), options as PushOptions);
      await expect(pushed).rejects.toThrow(InvalidQueueArgumentException);
      await expect(pushed).rejects.toThrow(place);
      expect(backend.stored).toEqual([]);
      expect(told).toBe(0);
    },
  );

  it.each([
    ['a class', Send, 'came the class Send itself: pass new Send(…).'],
    ['a class that is no job', Date, 'came the function Date.'],
    ['a plain object', { handle: () => {} }, 'what came is an instance of no class of its own.'],
    ['null', null, 'came null.'],
    ['undefined', undefined, 'came undefined.'],
    ['a text', 'Send', 'came "Send".'],
    ['an instance of a class that is no job', new Date(), 'Class Date is not decorated with @Job().'],
  ])('refuses %s in place of a job, and says what came', async (_title, job, said) => {
    const backend = new StoringBackend();
    const pushed = queuesOver({ default: backend }).default.push(job as unknown as Send);
    await expect(pushed).rejects.toThrow(InvalidQueueArgumentException);
    await expect(pushed).rejects.toThrow(said);
    expect(backend.stored).toEqual([]);
  });

  it('knows a job whose instance has a property named constructor', async () => {
    const backend = new StoringBackend();
    const job = Object.defineProperty(new Send('a'), 'constructor', { value: 'of ships' });
    await queuesOver({ default: backend }).default.push(job);
    expect(JSON.parse(backend.stored[0]?.body ?? '')).toMatchObject({ class: 'Send', args: { to: 'a' } });
  });

  it('checks the key that a job makes itself, and never shows it', async () => {
    const pushed = queuesOver({ default: new StoringBackend() }).default.push(new Once());
    await expect(pushed).rejects.toThrow(
      'Once.uniqueKey(): expected a string of 1 to 255 characters, came a string of 400',
    );
    await expect(pushed).rejects.not.toThrow('kkk');
  });

  it('sends nothing when an argument has no wire form', async () => {
    const backend = new StoringBackend();
    const pushed = queuesOver({ default: backend }).default.push(new Send(Number.NaN));
    await expect(pushed).rejects.toThrow(UnserializableJobException);
    expect(backend.stored).toEqual([]);
  });

  it('takes what is left out from the job, and an explicit null for the worker to decide', async () => {
    const backend = new StoringBackend();
    const queue = queuesOver({ default: backend }).default;
    const id = await queue.push(new Send('a'));
    await queue.push(new Send('a'), { maxAttempts: null, queue: 'other', priority: -3, delaySeconds: 1.5 });
    const [first, second] = backend.stored;
    expect(first).toMatchObject({ id, queue: 'mail', delaySeconds: 0 });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.header).toMatchObject({ v: 1, attempts: 0, priority: 2, rank: 2, leaseSeconds: 30 });
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      id,
      class: 'Send',
      args: { to: 'a' },
      maxAttempts: 4,
    });
    expect(second).toMatchObject({ queue: 'other', delaySeconds: 1.5, header: { priority: -3, rank: -3 } });
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ maxAttempts: null });
  });

  it('refuses an option that the backend lacks, naming the backend', async () => {
    const backend = new StoringBackend({
      ...MEMORY_CAPABILITIES,
      priorityLevels: 'none',
      unique: false,
      maxPushDelaySeconds: 900,
    });
    const queue = queuesOver({ default: backend }).default;
    const job = new Send('a');
    await expect(queue.push(job, { priority: 0, delaySeconds: 901 })).rejects.toThrow('at most 900');
    await expect(queue.push(job, { priority: 1 })).rejects.toThrow('"storing" cannot order');
    await expect(queue.push(job, { priority: 0, uniqueKey: 'a' })).rejects.toThrow(
      '"storing" cannot refuse duplicates',
    );
    expect(backend.stored).toEqual([]);
  });

  it('answers null for a duplicate, and keeps only the digest of its key', async () => {
    const backend = new StoringBackend();
    backend.answer = () => ({ status: 'duplicate' });
    const id = await queuesOver({ default: backend }).default.push(new Send('a'), {
      uniqueKey: 'customer 7',
    });
    expect(id).toBeNull();
    expect(backend.stored[0]?.header.uniqueKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([new ServerRefused('refused'), new OutcomeUnknown('unknown')])(
    'passes on what the server did: %s',
    async (error) => {
      const backend = new StoringBackend();
      backend.answer = () => ({ status: error instanceof OutcomeUnknown ? 'unknown' : 'refused', error });
      await expect(queuesOver({ default: backend }).default.push(new Send('a'))).rejects.toBe(error);
    },
  );

  it('asks for metadata at each push; explicit keys win', async () => {
    const backend = new StoringBackend();
    let tenant = 0;
    const captureMetadata = () => ({ tenant: String((tenant += 1)), trace: 't' });
    const queue = queuesOver({ default: backend }, { captureMetadata }).default;
    await queue.push(new Send('a'));
    await queue.push(new Send('a'), { metadata: { trace: 'mine' } });
    const metadata = backend.stored.map((job) => (JSON.parse(job.body) as { metadata: unknown }).metadata);
    expect(metadata).toEqual([
      { tenant: '1', trace: 't' },
      { tenant: '2', trace: 'mine' },
    ]);
  });

  it('lets telemetry send keys along, but never lets it refuse or change a push', async () => {
    const backend = new StoringBackend();
    const carriers = [{ traceparent: '00-1' }, { traceparent: 'x'.repeat(5_000) }];
    const warned: string[] = [];
    const telemetry = {
      startPush: () => {
        const carrier = carriers.shift();
        if (carrier === undefined) throw new Error('broken');
        return {
          carrier,
          end: () => {
            throw new Error('broken');
          },
        };
      },
    };
    const reporter = { warn: (message: string) => void warned.push(message), error: () => {} };
    const queue = queuesOver({ default: backend }, { telemetry, reporter }).default;
    for (let count = 0; count < 3; count += 1) await queue.push(new Send('a'), { metadata: { a: 'b' } });
    const metadata = backend.stored.map((job) => (JSON.parse(job.body) as { metadata: unknown }).metadata);
    expect(metadata).toEqual([{ traceparent: '00-1', a: 'b' }, { a: 'b' }, { a: 'b' }]);
    expect(warned).toHaveLength(3);
  });
});

describe('a job that names a connection', () => {
  it('is routed there by the queue default', async () => {
    const backends = { default: new StoringBackend(), ledger: new StoringBackend() };
    const queues = queuesOver(backends);
    await queues.default.push(new Book());
    await queues.ledger.push(new Book());
    expect(backends.default.stored).toHaveLength(0);
    expect(backends.ledger.stored).toHaveLength(2);
  });

  it('is refused by every other queue', async () => {
    const queues = queuesOver({
      default: new StoringBackend(),
      ledger: new StoringBackend(),
      third: new StoringBackend(),
    });
    await expect(queues.third.push(new Book())).rejects.toThrow(
      'declared for the connection "ledger", came to "third"',
    );
    await expect(queues.third.pushMany([new Book()])).rejects.toThrow('declared for the connection "ledger"');
  });

  it('is refused with the known names where there is no such connection', async () => {
    const queues = queuesOver({ default: new StoringBackend() });
    await expect(queues.default.push(new Book())).rejects.toThrow('came "ledger". Known: "default"');
  });
});

describe('pushMany()', () => {
  it('answers ids in order and null for a duplicate', async () => {
    const backend = new StoringBackend();
    backend.answer = (_job, index) => ({ status: index === 1 ? 'duplicate' : 'applied' });
    const ids = await queuesOver({ default: backend }).default.pushMany([
      new Send('a'),
      { job: new Send('b'), delaySeconds: 5 },
      new Send('c'),
    ]);
    expect(ids).toEqual([backend.stored[0]?.id, null, backend.stored[2]?.id]);
    expect(backend.stored.map((job) => job.delaySeconds)).toEqual([0, 5, 0]);
  });

  it('checks every entry before it sends the first, and names the one that is wrong', async () => {
    const backend = new StoringBackend();
    const { default: queue } = queuesOver({ default: backend });
    const wrong = [new Send('a'), { job: new Send('b'), priority: 999 }];
    await expect(queue.pushMany(wrong)).rejects.toThrow('pushMany()[1]: priority');
    await expect(queue.pushMany([new Send('a'), new Send(Number.NaN)])).rejects.toThrow(
      UnserializableJobException,
    );
    expect(backend.stored).toEqual([]);
  });

  it('refuses more than one step holds, with the advice to split', async () => {
    const { default: queue } = queuesOver({ default: new StoringBackend() });
    const job = new Send('x'.repeat(1_024 * 1_024));
    await expect(queue.pushMany(Array.from({ length: 10_001 }, () => new Send('a')))).rejects.toThrow(
      'Split the list',
    );
    await expect(queue.pushMany(Array.from({ length: 8 }, () => job))).rejects.toThrow('8388608 bytes');
  });

  it('refuses jobs of two connections', async () => {
    const queues = queuesOver({ default: new StoringBackend(), ledger: new StoringBackend() });
    await expect(queues.default.pushMany([new Send('a'), new Book()])).rejects.toThrow(
      'came jobs of "default" and "ledger"',
    );
  });

  it('answers for each entry when some were not stored', async () => {
    const backend = new StoringBackend({ ...MEMORY_CAPABILITIES, atomicPushMany: false });
    const error = new OutcomeUnknown('no answer');
    backend.answer = (_job, index) => (index === 1 ? { status: 'unknown', error } : { status: 'applied' });
    const pushed = queuesOver({ default: backend }).default.pushMany([new Send('a'), new Send('b')]);
    const failure: unknown = await pushed.catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(PushManyException);
    expect(failure).toMatchObject({
      outcomes: [{ status: 'applied' }, { status: 'unknown', error }],
      cause: error,
    });
  });

  it.each([undefined, null, new Send('a'), 'text'])('refuses what is no list: %s', async (entries) => {
    const { default: queue } = queuesOver({ default: new StoringBackend() });
    await expect(queue.pushMany(entries as never)).rejects.toThrow(InvalidQueueArgumentException);
    await expect(queue.chain(entries as never)).rejects.toThrow(InvalidQueueArgumentException);
  });

  it('stores nothing for an empty list', async () => {
    const backend = new StoringBackend();
    expect(await queuesOver({ default: backend }).default.pushMany([])).toEqual([]);
    expect(backend.options).toEqual([]);
  });
});

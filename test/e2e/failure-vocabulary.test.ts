import { Injectable, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnyJobEvent,
  type BackendFactory,
  ClearableQueue,
  Handle,
  InvalidQueueArgumentException,
  Job,
  JobFailedPermanently,
  JobMalformed,
  JobReconstructionException,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  OutcomeUnknown,
  provideJobs,
  type QueueBackend,
  Queue,
  QueueConsumer,
  QueueNotClearableException,
  type SettleOutcome,
  UnresolvableJobParameterException,
  UnserializableJobException,
} from '../../lib/index.js';
import { migrateSqlQueue, sql } from '../../lib/sql.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/sqlite-queue.js';

@Injectable()
class Outcomes {
  readonly events: AnyJobEvent[] = [];

  @OnJobEvent(
    JobSucceeded,
    JobReleased,
    JobFailedPermanently,
    JobSettlementLost,
    JobSettlementUnknown,
    JobMalformed,
  )
  record(event: AnyJobEvent): void {
    this.events.push(event);
  }
}

@Job()
class Greet {
  constructor(readonly name: unknown) {}

  handle(): void {}
}

@Job()
class Refuse {
  constructor(readonly why: string) {}

  @Handle()
  handle(): void {
    throw new Error(this.why);
  }
}

@Job()
class Unlisted {
  handle(): void {}
}

@Job()
class Unresolvable {
  @Handle()
  handle(_scalar: string): void {}
}

interface LogLine {
  readonly level: 'log' | 'warn' | 'error';
  readonly message: unknown;
}

class Lines implements LoggerService {
  readonly lines: LogLine[] = [];
  log = (message: unknown): void => void this.lines.push({ level: 'log', message });
  warn = (message: unknown): void => void this.lines.push({ level: 'warn', message });
  error = (message: unknown): void => void this.lines.push({ level: 'error', message });

  has(level: LogLine['level'], event: string): boolean {
    return this.lines.some(
      (line) => line.level === level && (line.message as { event?: string }).event === event,
    );
  }
}

type SettleOverride = (inner: QueueBackend['settle']) => QueueBackend['settle'];

/** The backend with another answer to settlements. */
function withSettle(factory: BackendFactory, override: SettleOverride): BackendFactory {
  return async (context) => {
    const backend = await factory(context);
    const inner = backend.settle.bind(backend);
    backend.settle = override(inner);
    return backend;
  };
}

const answering =
  (outcome: SettleOutcome): SettleOverride =>
  () =>
  (settlements) =>
    Promise.resolve(settlements.map(() => outcome));

let folder: ReturnType<typeof temporaryFolder>;
let closeApp: (() => Promise<void>) | null = null;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(async () => {
  await closeApp?.();
  closeApp = null;
  folder.remove();
});

const backends: readonly (readonly [string, () => Promise<BackendFactory>])[] = [
  ['memory', async () => memory()],
  [
    'sqlite',
    async () => {
      const connection = { driver: 'sqlite', file: join(folder.path, 'queue.sqlite') } as const;
      await migrateSqlQueue(connection);
      return sql({ connection });
    },
  ],
];

async function start(factory: BackendFactory, options: { worker?: boolean; maxAttempts?: number } = {}) {
  const { worker = true, maxAttempts = 0 } = options;
  const queues = KinetisQueueModule.forRoot({
    connections: { default: factory },
    ...(worker ? { worker: { queues: ['default'], maxAttempts, schemaGraceSeconds: 0 } } : {}),
  });

  @Module({ imports: [queues], providers: [Outcomes, ...provideJobs(Greet, Refuse)] })
  class AppModule {}

  const logger = new Lines();
  const app = await NestFactory.createApplicationContext(AppModule, { logger });
  closeApp = () => app.close();
  const queue = app.get(Queue);
  const { events } = app.get(Outcomes);
  const outcome = async (): Promise<AnyJobEvent | undefined> => {
    await eventually('an outcome', () => events.length > 0, 10_000);
    return events[0];
  };
  return { app, queue, events, outcome, logger };
}

/** Puts a body into the store that no push of today's code would write. */
async function storeBody(queue: Queue, change: (body: string) => string): Promise<void> {
  const { backend } = queue.connection;
  const stored = backend.store.bind(backend);
  backend.store = (jobs, options) =>
    stored(
      jobs.map((job) => ({ ...job, body: change(job.body) })),
      options,
    );
  await queue.push(new Greet('someone'));
  backend.store = stored;
}

const left = async (queue: Queue) => {
  const { ready, delayed, reserved } = await queue.counts();
  return { ready, delayed, reserved };
};
const EMPTY = { ready: 0, delayed: 0, reserved: 0 };

describe.each(backends)('the failure vocabulary on %s', (name, open) => {
  it('InvalidQueueArgumentException: propagates to the caller, nothing was sent', async () => {
    const { queue } = await start(await open(), { worker: false });
    await expect(queue.push(new Greet('a'), { queue: 'no name' })).rejects.toThrow(
      InvalidQueueArgumentException,
    );
    expect(await left(queue)).toEqual(EMPTY);
  });

  it('UnserializableJobException: propagates from push(), nothing was sent', async () => {
    const { queue } = await start(await open(), { worker: false });
    await expect(queue.push(new Greet(new Map()))).rejects.toThrow(UnserializableJobException);
    expect(await left(queue)).toEqual(EMPTY);
  });

  it('QueueNotClearableException: propagates when ClearableQueue is resolved', async () => {
    const factory = await open();
    const unclearable: BackendFactory = async (context) => {
      const backend = await factory(context);
      return Object.defineProperty(backend, 'capabilities', {
        value: { ...backend.capabilities, clear: false },
      });
    };
    const { app } = await start(unclearable, { worker: false });
    await expect(app.resolve(ClearableQueue)).rejects.toThrow(QueueNotClearableException);
  });

  it('JobReconstructionException: the job fails under the cap, and is failed at it', async () => {
    const { queue, outcome } = await start(await open());
    await queue.push(new Unlisted());
    const event = await outcome();
    expect(event).toBeInstanceOf(JobFailedPermanently);
    expect(event).toMatchObject({ cause: 'unknown-class', error: expect.any(JobReconstructionException) });
    expect(await left(queue)).toEqual(EMPTY);
  });

  it("JobReconstructionException: an argument that today's code does not know", async () => {
    const { queue, outcome } = await start(await open());
    await storeBody(queue, (body) => body.replace('"args":{', '"args":{"more":1,'));
    expect(await outcome()).toMatchObject({ cause: 'exhausted', error: { reason: 'extra-argument' } });
  });

  it('UnresolvableJobParameterException: at boot for a listed job', async () => {
    const queues = KinetisQueueModule.forRoot({ connections: { default: await open() } });
    @Module({ imports: [queues], providers: provideJobs(Unresolvable) })
    class AppModule {}
    const booted = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    await expect(booted).rejects.toThrow(UnresolvableJobParameterException);
  });

  it('MalformedJobSettledException: the message is gone, a warning, and the worker goes on', async () => {
    const { queue, events, logger } = await start(await open());
    await storeBody(queue, () => '{"no":"job"}');
    await queue.push(new Greet('next'));
    await eventually('both', () => events.length === 2, 10_000);
    expect(events.map((event) => event.constructor.name).toSorted()).toEqual([
      'JobMalformed',
      'JobSucceeded',
    ]);
    expect(logger.has('warn', 'job.malformed')).toBe(true);
    expect(await left(queue)).toEqual(EMPTY);
  });

  it('MalformedJobSettledException: pop() throws it', async () => {
    const { app, queue } = await start(await open(), { worker: false });
    await storeBody(queue, () => 'no JSON');
    const consumer = await app.resolve(QueueConsumer);
    await expect(consumer.pop(1, ['default'])).rejects.toMatchObject({ code: 'MALFORMED_JOB_SETTLED' });
    expect(await left(queue)).toEqual(EMPTY);
  });

  it.each(['ack', 'fail', 'release'] as const)(
    'StaleJobHandleException at %s: JobSettlementLost, and the worker goes on',
    async (operation) => {
      let first = true;
      const factory = withSettle(await open(), (inner) => (settlements) => {
        if (!first) return inner(settlements);
        first = false;
        return Promise.resolve([{ status: 'stale' }]);
      });
      const { queue, events, logger } = await start(factory, {
        maxAttempts: operation === 'release' ? 3 : 0,
      });
      await queue.push(operation === 'ack' ? new Greet('a') : new Refuse('its own error'));
      await eventually('an outcome', () => events.length === 1, 10_000);
      expect(events[0]).toBeInstanceOf(JobSettlementLost);
      expect(events[0]).toMatchObject({
        operation,
        attempts: 1,
        queue: 'default',
        stale: { code: 'STALE_JOB_HANDLE', operation },
        error: operation === 'ack' ? null : { message: 'its own error' },
      });
      expect(logger.lines.some((line) => line.level === 'warn')).toBe(true);
      await queue.push(new Greet('next'));
      await eventually('the next job', () => events.length === 2, 10_000);
      expect(events[1]).toBeInstanceOf(JobSucceeded);
    },
  );

  it('OutcomeUnknown at a settlement: JobSettlementUnknown, and the worker goes on', async () => {
    const failure = new OutcomeUnknown('the reply was lost');
    const { queue, outcome, logger } = await start(
      withSettle(await open(), answering({ status: 'unknown', error: failure })),
    );
    await queue.push(new Greet('a'));
    expect(await outcome()).toMatchObject({ operation: 'ack', failure, error: null });
    expect(await outcome()).toBeInstanceOf(JobSettlementUnknown);
    expect(logger.has('error', 'worker.stopped')).toBe(false);
    expect(await left(queue)).toEqual({ ready: 0, delayed: 0, reserved: 1 });
  });

  it('any other error of a settlement: no outcome is told, and the worker stops with 70', async () => {
    const factory = withSettle(await open(), () => () => Promise.reject(new TypeError('a defect')));
    const { queue, events, logger } = await start(factory);
    await queue.push(new Greet('a'));
    await eventually('the end of the worker', () => logger.has('error', 'worker.stopped'), 10_000);
    const stopped = logger.lines.find(
      (line) => (line.message as { event?: string }).event === 'worker.stopped',
    );
    expect(stopped?.message).toMatchObject({ exitCode: 70 });
    expect(events).toEqual([]);
    expect(await left(queue)).toEqual({ ready: 0, delayed: 0, reserved: 1 });
  });

  it('JobSucceeded, JobReleased, JobFailedPermanently: one a delivery, each after its settlement was accepted', async () => {
    const { queue, events } = await start(await open(), { maxAttempts: 2 });
    await queue.push(new Greet('a'));
    await queue.push(new Refuse('no'));
    await eventually('three outcomes', () => events.length === 3, 10_000);
    expect(events.map((event) => [event.constructor.name, (event as JobSucceeded).attempts])).toEqual([
      ['JobSucceeded', 1],
      ['JobReleased', 1],
      ['JobFailedPermanently', 2],
    ]);
    expect(events[2]).toMatchObject({ cause: 'exhausted', args: { why: 'no' } });
    expect(await left(queue)).toEqual(EMPTY);
    expect(name).toBe(queue.connection.backend.driver === 'memory' ? 'memory' : 'sqlite');
  });
});

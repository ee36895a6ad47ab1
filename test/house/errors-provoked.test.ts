import { Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, expect, test, vi } from 'vitest';
import { sqliteDialect } from '../../lib/backends/sql/dialects/sqlite.dialect.js';
import { translateError } from '../../lib/backends/sql/server-errors.js';
import { StatementFailed } from '../../lib/backends/sql/statement-failed.js';
import { encodeBody, type QueuedJob, type SettleOutcome } from '../../lib/contract/index.js';
import * as exceptions from '../../lib/contract/exceptions/index.js';
import { JobFailedPermanently } from '../../lib/events/index.js';
import { Handle, Job, type JobDelivery } from '../../lib/jobs/index.js';
import { ClearableQueue, KinetisQueueModule, memory, provideJobs, Queue, sync } from '../../lib/index.js';
import { QueueAdmin, QueueConsumer } from '../../lib/queue/index.js';
import type { WorkerOptions } from '../../lib/worker/index.js';
import { migrated, newJob, openBackend } from '../support/sql-files.js';
import { queuesOver } from '../support/fake-backend.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';

/** In every payload below: no message may show it. */
const PAYLOAD = 'hunter2-in-the-payload';

type ExceptionName = Exclude<keyof typeof exceptions, 'QueueException' | 'QueueServerException'>;

/** What whoever is on call at night reads in a message. */
interface Provoked {
  /** Does what raises it, and answers with the error. */
  readonly by: () => Promise<unknown>;
  readonly expected: RegExp;
  readonly came: RegExp;
  /** What to do now. */
  readonly mend: RegExp;
}

class Note {
  constructor(readonly text: unknown) {}

  handle(): void {}
}
Job({ args: ['text'] })(Note);

class TakesText extends Note {
  @Handle()
  override handle(_text?: string): void {}
}
Job({ args: ['text'] })(TakesText);

class Silent {
  async use(): Promise<void> {}
}

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('Expected an exception, came none.');
}

const apps: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.doUnmock('@mikro-orm/core');
  for (const app of apps.splice(0)) await app.close();
});

async function application(metadata: ModuleMetadata) {
  class AppModule {}
  Module(metadata)(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  apps.push(app);
  return app;
}

/** The final failure of one job, as a listener is told of it. */
async function failureOf(bench: WorkerBench, options: Partial<WorkerOptions> = {}): Promise<unknown> {
  await bench.worker(options, [JobFailedPermanently]).processNext(1);
  const [event] = bench.events;
  return event instanceof JobFailedPermanently ? event.error : undefined;
}

function stored(args: { readonly [name: string]: string }, attempts = 0) {
  const [id, pushedAt] = ['0'.repeat(32), '2026-01-01T00:00:00.000Z'];
  const job = newJob({ queue: 'default', header: { attempts } });
  return {
    ...job,
    id,
    body: encodeBody({ id, pushedAt, class: 'LabelledJob', args, maxAttempts: 1, metadata: {}, chain: [] }),
  };
}

/** A queue over a backend that runs each job in its push. */
async function syncQueue(): Promise<Queue> {
  const app = await application({
    imports: [KinetisQueueModule.forRoot({ connections: { default: sync() } })],
  });
  return app.get(Queue);
}

async function delivered(bench: WorkerBench): Promise<{ consumer: QueueConsumer; job: QueuedJob }> {
  await bench.queue.push(new LabelledJob(PAYLOAD));
  const consumer = new QueueConsumer(bench.queue);
  return { consumer, job: (await consumer.pop(1, ['default'])) as QueuedJob };
}

/** What the signal of a running delivery aborts with. */
async function abortedBy(
  bench: WorkerBench,
  meanwhile: (delivery: JobDelivery) => unknown,
): Promise<unknown> {
  let reason: unknown;
  bench.handler = async (delivery) => {
    await meanwhile(delivery);
    reason = delivery.signal.reason;
  };
  await bench.push(PAYLOAD);
  await bench.worker().processNext(1);
  return reason;
}

function errorOf(outcomes: readonly SettleOutcome[]): unknown {
  const [outcome] = outcomes;
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
}

class Timed extends LabelledJob {}
Job({ args: ['label', 'secret'], timeoutSeconds: 0.01 })(Timed);

const PROVOKED: Readonly<Partial<Record<ExceptionName, Provoked>>> = {
  ConnectionFailed: {
    by: async () => {
      const { backend, orm } = await migrated({ acquireTimeoutMs: 20 });
      return orm.em.transactional(() => thrownBy(() => backend.reserve(['mail'], 1)));
    },
    expected: /expected a connection to the database/,
    came: /came none: a transaction of this application/,
    mend: /try again, and keep transactions short/,
  },
  DecodingDefectException: {
    by: async () => {
      const backend = new ScriptedBackend();
      backend.extraItems.push(ScriptedBackend.defectItem());
      return thrownBy(() => new WorkerBench(backend).worker().processNext(1));
    },
    expected: /Expected the decoder to read an item of queue "default"/,
    came: /it failed/,
    mend: /report it/,
  },
  DuplicateQueueModuleException: {
    by: () => {
      const imports = [1, 2].map(() => KinetisQueueModule.forRoot({ connections: { default: memory() } }));
      return thrownBy(() => application({ imports }));
    },
    expected: /Expected one KinetisQueueModule/,
    came: /came 2/,
    mend: /Register it once/,
  },
  InvalidQueueArgumentException: {
    by: () => thrownBy(() => new WorkerBench().queue.push(new LabelledJob(PAYLOAD), { delaySeconds: -1 })),
    expected: /expected 0 or a positive finite number of seconds/,
    came: /came -1/,
    // To pass what was expected is what is to be done.
    mend: /delaySeconds: expected/,
  },
  JobDeclarationException: {
    by: () =>
      thrownBy(() => {
        class NoHandler {}
        Job()(NoHandler as never);
      }),
    expected: /method handle\(\), which a worker calls/,
    came: /NoHandler has no method/,
    mend: /Add one/,
  },
  JobMiddlewareException: {
    by: async () => {
      const queue = KinetisQueueModule.forRoot({ connections: { default: sync() }, middleware: [Silent] });
      const app = await application({ imports: [queue], providers: [Silent, ...provideJobs(Note)] });
      return thrownBy(() => app.get(Queue).push(new Note(PAYLOAD)));
    },
    expected: /Silent\.use\(\): expected a call of next\(\)/,
    came: /it ended without one/,
    mend: /Call next\(\) and await it/,
  },
  JobReconstructionException: {
    by: async () => {
      const bench = new WorkerBench();
      await bench.backend.store([stored({ secret: PAYLOAD })]);
      return failureOf(bench, { schemaGraceSeconds: 0 });
    },
    expected: /today's constructor requires it/,
    came: /no argument "label" is stored/,
    mend: /Give it a default or @Optional\(\)/,
  },
  JobTimeoutException: {
    by: async () => {
      const bench = new WorkerBench(new ScriptedBackend(), [Timed]);
      bench.handler = ({ signal }) => new Promise((ended) => signal.addEventListener('abort', ended));
      await bench.queue.push(new Timed(PAYLOAD));
      return failureOf(bench);
    },
    expected: /expected handle\(\) to end within 0\.01 s/,
    came: /it ran longer/,
    mend: /Pass the delivery's signal on/,
  },
  LeaseLostException: {
    by: () => {
      const bench = new WorkerBench();
      bench.backend.nextSettlements.push('stale');
      return abortedBy(bench, (delivery) => thrownBy(() => delivery.extend({ seconds: 5 })));
    },
    expected: /expected to hold its lease/,
    came: /it is lost: the backend answered/,
    mend: /end the work, and give such jobs a longer leaseSeconds/,
  },
  MalformedJobSettledException: {
    by: async () => {
      const bench = new WorkerBench();
      bench.backend.extraItems.push(ScriptedBackend.malformedItem());
      return thrownBy(() => new QueueConsumer(bench.queue).pop(1, ['default']));
    },
    expected: /Expected .+ to be /,
    came: /An item on queue "default" is no readable job; its bytes were moved/,
    mend: /Find what else writes to this queue/,
  },
  MalformedQueuedJobDataException: {
    by: async () => {
      const bench = new WorkerBench();
      await bench.backend.store([{ ...newJob({ queue: 'default' }), body: `{"id":"${PAYLOAD}"}` }]);
      const [answer] = await bench.connection.reserve(['default'], 1);
      return answer instanceof Error ? answer.cause : undefined;
    },
    expected: /Expected body\.pushedAt to be a string like/,
    came: /what is stored is not/,
    mend: /Find what else writes to this queue/,
  },
  MaxAttemptsExceededException: {
    by: async () => {
      const bench = new WorkerBench();
      await bench.backend.store([stored({ label: PAYLOAD, secret: PAYLOAD }, 9)]);
      return failureOf(bench);
    },
    expected: /expected at most 4 attempts/,
    came: /came attempt 10/,
    mend: /Look for what ends the process/,
  },
  OutcomeUnknown: {
    // A healthy disk does not answer so: the error of one that does is translated.
    by: async () => {
      const failed = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
      const { classify } = sqliteDialect({ prefix: '', schema: null }, null);
      return translateError(new StatementFailed(classify(failed), failed), 'push()');
    },
    expected: /push\(\): expected an answer of the database/,
    came: /came SQLITE_IOERR_WRITE/,
    mend: /Look before you repeat a push/,
  },
  PushManyException: {
    by: async () => {
      const { backend, orm } = await migrated({ acquireTimeoutMs: 20 });
      const { default: queue } = queuesOver({ default: backend });
      const jobs = [new Note(PAYLOAD), new Note(PAYLOAD)];
      return orm.em.transactional(() => thrownBy(() => queue.pushMany(jobs)));
    },
    expected: /Expected all 2 jobs to be stored/,
    came: /0 were, 2 were refused/,
    mend: /Push again only those that were refused/,
  },
  QueueConfigurationException: {
    by: () =>
      thrownBy(() => application({ imports: [KinetisQueueModule.forRoot({ connections: {} } as never)] })),
    expected: /connections: expected "default" among them/,
    came: /came none/,
    mend: /Add a backend/,
  },
  QueueNotAdministrableException: {
    by: async () => {
      const queue = await syncQueue();
      return thrownBy(() => new QueueAdmin(queue));
    },
    expected: /Expected the connection "default" to keep failed jobs/,
    came: /"sync" can do none of these/,
    mend: /Use a connection whose backend can/,
  },
  QueueNotClearableException: {
    by: async () => {
      const queue = await syncQueue();
      return thrownBy(() => new ClearableQueue(queue));
    },
    expected: /Expected the connection "default" to be one that can clear/,
    came: /its backend "sync" cannot/,
    mend: /Use a connection that can/,
  },
  QueueNotConsumableException: {
    by: async () => {
      const queue = await syncQueue();
      return thrownBy(() => new QueueConsumer(queue));
    },
    expected: /Expected the connection "default" to hand out deliveries/,
    came: /"sync" runs a job inside its push/,
    mend: /Use a connection whose backend stores jobs/,
  },
  QueueUnavailableException: {
    by: async () => {
      vi.doMock('@mikro-orm/core', () => {
        throw new Error('not installed');
      });
      return thrownBy(() => openBackend({}));
    },
    expected: /expected @mikro-orm\/core and a driver/,
    came: /they cannot be loaded/,
    mend: /npm install/,
  },
  SchemaOutdatedException: {
    by: async () => {
      const { backend, orm } = await migrated();
      await orm.em.getConnection().execute('drop table kinetis_queue_jobs');
      return thrownBy(() => backend.reserve(['mail'], 1));
    },
    expected: /expected the tables of the queue as this code knows them/,
    came: /missing or older/,
    mend: /Run `npx kinetis-queue migrate`/,
  },
  ServerRefused: {
    by: async () => {
      const { backend, orm } = await migrated({ acquireTimeoutMs: 20 });
      await backend.store([newJob()]);
      const [item] = await backend.reserve(['mail'], 1);
      const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
      return errorOf(await orm.em.transactional(() => backend.settle([ack])));
    },
    expected: /expected a connection to the database/,
    came: /came none in time/,
    mend: /try again, and keep transactions short/,
  },
  StaleJobHandleException: {
    by: async () => {
      const { consumer, job } = await delivered(new WorkerBench());
      await consumer.ack(job);
      return thrownBy(() => consumer.ack(job));
    },
    expected: /Expected ack\(\) to name the current delivery of job [0-9a-f]{32}/,
    came: /that delivery has ended/,
    mend: /Do not repeat it/,
  },
  TransactionRequiredException: {
    by: async () => {
      const { backend, orm } = await migrated({ acquireTimeoutMs: 20 });
      const { default: queue } = queuesOver({ default: backend });
      return orm.em.transactional(() => thrownBy(() => queue.push(new Note(PAYLOAD))));
    },
    expected: /expected the database connection/,
    came: /came none for 20 ms/,
    mend: /Pass the transaction, push\(job, \{ transaction: entityManager \}\)/,
  },
  UnresolvableJobParameterException: {
    by: () => {
      const queue = KinetisQueueModule.forRoot({ connections: { default: memory() } });
      return thrownBy(() => application({ imports: [queue], providers: provideJobs(TakesText) }));
    },
    expected: /Expected every parameter of handle\(\)/,
    came: /TakesText\.handle\(\), parameter 1/,
    mend: /provide|add|import|list/i,
  },
  UnserializableJobException: {
    by: () =>
      thrownBy(() =>
        queuesOver({ default: new ScriptedBackend() }).default.push(new Note({ [PAYLOAD]: 1n })),
      ),
    expected: /argument "text" has no wire form/,
    came: /bigint/,
    mend: /Pass it as a string, or give the parameter a codec/,
  },
};

/** Classes without a message of this library that a version without brokers could raise. */
const NOT_PROVOKED: Readonly<Partial<Record<ExceptionName, string>>> = {
  FailJobException: 'a handler throws it: its message is the application’s',
  DeferJobException:
    'a handler throws it: its message is the application’s, "the job asked to be deferred" without one',
  PublishNotConfirmedException: 'no backend of this version publishes to a broker that confirms',
};

/** All but the abstract ones. */
const classes = new Map(
  Object.entries<{ readonly prototype: unknown }>(exceptions).filter(
    ([name, { prototype }]) =>
      prototype instanceof exceptions.QueueException && name !== 'QueueServerException',
  ),
);

test('every exception class is provoked here, or named with the reason why it cannot be', () => {
  expect([...Object.keys(PROVOKED), ...Object.keys(NOT_PROVOKED)].sort()).toEqual([...classes.keys()].sort());
});

test.each(Object.entries(PROVOKED))(
  '%s says what was expected, what came and what to do, and shows no payload',
  async (name, { by, expected, came, mend }) => {
    const error = await by();
    expect(error).toBeInstanceOf(classes.get(name));
    const { message } = error as Error;
    for (const part of [expected, came, mend]) expect(message).toMatch(part);
    expect(message).not.toContain(PAYLOAD);
  },
);

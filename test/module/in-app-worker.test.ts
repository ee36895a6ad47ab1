import {
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, test, vi } from 'vitest';
import {
  type BackendFactory,
  type InAppWorkerOptions,
  KinetisQueueModule,
  memory,
  provideJobs,
  Queue,
  sync,
} from '../../lib/index.js';
import { InAppWorker } from '../../lib/module/worker/in-app-worker.js';
import { Gate, Journal, Mail, Note, Slow } from './support/jobs.js';

/** A database as an imported module has it. */
@Injectable()
class Database implements OnModuleDestroy {
  open = true;

  onModuleDestroy(): void {
    this.open = false;
  }
}

@Module({ providers: [Database], exports: [Database] })
class DatabaseModule {}

/** The root module's own. */
@Injectable()
class RootPool extends Database {}

@Injectable()
class Watcher implements OnApplicationBootstrap, OnModuleInit {
  constructor(
    @Inject(Journal) readonly journal: Journal,
    @Inject(Queue) readonly queue: Queue,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.queue.push(new Note('job'));
  }

  async onApplicationBootstrap(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.journal.write('bootstrapped');
  }
}

function application(worker: InAppWorkerOptions, backend: BackendFactory = memory()) {
  @Module({
    imports: [DatabaseModule, KinetisQueueModule.forRoot({ connections: { default: backend }, worker })],
    providers: [Journal, Gate, Watcher, RootPool, ...provideJobs(Note, Slow, Mail)],
  })
  class AppModule {}
  return NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
}

describe('the worker inside the application', () => {
  test('starts when every onApplicationBootstrap is over', async () => {
    const app = await application({});
    const journal = app.get(Journal);
    await journal.has(2);
    expect(journal.lines).toEqual(['bootstrapped', 'job']);
    await app.close();
  });

  test('watches what it is told', async () => {
    const app = await application({ queues: ['mail'] });
    const journal = app.get(Journal);
    await app.get(Queue).push(new Mail('mail'));
    await journal.has(2);
    expect(journal.lines).toEqual(['bootstrapped', 'mail']);
    expect(await app.get(Queue).size()).toBe(1);
    await app.close();
  });

  test("drains before any provider is destroyed, the root module's own included, and pushing works meanwhile", async () => {
    const app = await application({ queues: ['default', 'slow', 'mail'] });
    const [journal, gate, queue] = [app.get(Journal), app.get(Gate), app.get(Queue)];
    const databases = [app.get(Database, { strict: false }), app.get(RootPool)];
    await queue.push(new Slow('slow'));
    await journal.has(3);
    const closing = app.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(databases.map(({ open }) => open)).toEqual([true, true]);
    await queue.push(new Mail('left for later'));
    gate.open();
    await journal.has(4);
    expect(databases.map(({ open }) => open)).toEqual([true, true]);
    await closing;
    expect(journal.lines).toEqual(['bootstrapped', 'job', 'slow began', 'slow ended']);
    expect(databases.map(({ open }) => open)).toEqual([false, false]);
    expect(await queue.size('mail')).toBe(1);
  });

  test('aborts what does not end within the shutdown timeout, and gives it back', async () => {
    const app = await application({ queues: ['default', 'slow'], shutdownTimeoutSeconds: 0.01 });
    const [journal, queue] = [app.get(Journal), app.get(Queue)];
    await queue.push(new Slow('slow'));
    await journal.has(3);
    await app.close();
    expect(journal.lines.at(-1)).toBe('slow aborted');
  });

  test('never ends the process: it stops, and says so', async () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('process.exit was called');
    });
    const broken: BackendFactory = async (context) => {
      const backend = await memory()(context);
      backend.reserve = () => Promise.reject(new Error('a defect'));
      return backend;
    };
    const app = await application({}, broken);
    const worker = app.get(InAppWorker, { strict: false });
    await vi.waitFor(() => expect(worker.running).toBe(false), 5_000);
    expect(worker.result).toMatchObject({ exitCode: 70 });
    await app.close();
    expect(exit).not.toHaveBeenCalled();
    exit.mockRestore();
  });

  test('is not started where a push runs its job', async () => {
    const app = await application({}, sync());
    expect(app.get(InAppWorker, { strict: false }).running).toBe(false);
    await app.close();
  });

  test.each([
    [{ concurrency: 0 }, 'KinetisQueueModule: worker.concurrency: expected an integer of 1 or more, came 0.'],
    [{ queues: [] }, 'KinetisQueueModule: worker.queues: expected queue names'],
    [{ connection: 'ledger' }, 'expected one of the application\'s, "default"; came "ledger"'],
    [{ concurency: 2 } as InAppWorkerOptions, 'KinetisQueueModule: worker: unknown option concurency'],
  ])('%j is refused at boot', async (worker, message) => {
    await expect(application(worker)).rejects.toThrow(message);
  });
});

import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, test, vi } from 'vitest';
import {
  type BackendFactory,
  ClearableQueue,
  DuplicateQueueModuleException,
  getQueueToken,
  InjectQueue,
  Job,
  KinetisQueueModule,
  memory,
  provideJobs,
  Queue,
  QueueAdmin,
  QueueConfigurationException,
  QueueConsumer,
  QueueNotConsumableException,
  sync,
} from '../../lib/index.js';
import { Journal, Mail, Note } from './support/jobs.js';

function counted(factory: BackendFactory): { factory: BackendFactory; built: () => number } {
  let built = 0;
  const counting: BackendFactory = (context) => {
    built += 1;
    return factory(context);
  };
  return { factory: counting, built: () => built };
}

function newHandles(before: readonly string[]): string[] {
  const left = [...before];
  return process.getActiveResourcesInfo().filter((handle) => {
    const index = left.indexOf(handle);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

async function create(...imports: object[]) {
  const module = await Test.createTestingModule({ imports: imports as [] }).compile();
  module.useLogger(false);
  return module.init();
}

describe('KinetisQueueModule', () => {
  test('the same module imported by two modules has one connection, and a job runs once', async () => {
    const { factory, built } = counted(memory());
    const queues = KinetisQueueModule.forRoot({ connections: { default: factory }, worker: {} });

    @Module({ imports: [queues] })
    class First {}

    @Module({ imports: [queues], providers: [Journal, ...provideJobs(Note)] })
    class Second {}

    const app = await create(First, Second, queues);
    const journal = app.get(Journal, { strict: false });
    await app.get(Queue).push(new Note('once'));
    await app.get(Queue).push(new Note('twice'));
    await journal.has(2);
    await app.close();
    expect({ built: built(), lines: journal.lines }).toEqual({ built: 1, lines: ['once', 'twice'] });
  });

  test('a second forRoot in one application is refused', async () => {
    const connections = { default: memory() };
    await expect(
      create(KinetisQueueModule.forRoot({ connections }), KinetisQueueModule.forRoot({ connections })),
    ).rejects.toThrow(DuplicateQueueModuleException);
  });

  test('an option that it does not know is refused, with the one that was probably meant', () => {
    const options = { connections: { default: memory() }, conections: {} };
    expect(() => KinetisQueueModule.forRoot(options)).toThrow(
      'unknown option conections. Did you mean connections?',
    );
    expect(() => KinetisQueueModule.forRoot(options)).toThrow(QueueConfigurationException);
  });

  test.each([-1, 0, NaN, Infinity, '90'])(
    'memory() refuses a lease of %s as any option of the module',
    (given) => {
      const build = () => memory({ leaseSeconds: given as number });
      expect(build).toThrow(QueueConfigurationException);
      expect(build).toThrow(/memory\(\): leaseSeconds: expected a positive finite number, came/);
    },
  );

  test('a listed job of a connection that does not exist is refused at boot, with the names that do', async () => {
    @Job({ connection: 'legder' })
    class Book {
      handle(): void {}
    }

    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory(), ledger: memory() } })],
      providers: provideJobs(Book),
    })
    class AppModule {}
    await expect(create(AppModule)).rejects.toThrow('expected one of "default", "ledger", came "legder"');
  });

  test('two applications in one process share neither connections nor jobs', async () => {
    const makeApp = (job: typeof Note | typeof Mail) => {
      @Module({
        imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
        providers: [Journal, ...provideJobs(job)],
      })
      class AppModule {}
      return create(AppModule);
    };
    const [one, two] = await Promise.all([makeApp(Note), makeApp(Mail)]);
    await one.get(Queue).push(new Note('one'));
    expect(await one.get(Queue).size()).toBe(1);
    expect(await two.get(Queue).size()).toBe(0);
    await Promise.all([one.close(), two.close()]);
  });

  test('an application created and closed 20 times leaves no handle', async () => {
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} })],
      providers: [Journal, ...provideJobs(Note)],
    })
    class AppModule {}
    const cycle = async () => {
      const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
      app.useLogger(false);
      await app.get(Queue).push(new Note('x'));
      await app.init();
      await app.get(Journal, { strict: false }).has(1);
      await app.close();
    };
    const signals = () => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
    await cycle();
    const before = { handles: process.getActiveResourcesInfo(), signals: signals() };
    for (let round = 0; round < 20; round += 1) await cycle();
    // The test runner's own timers come and go.
    await vi.waitFor(() => expect(newHandles(before.handles)).toEqual([]), 5_000);
    expect(signals()).toBe(before.signals);
  });

  test('no backend is connected at boot', async () => {
    let connected = 0;
    const watched: BackendFactory = async (context) => {
      const backend = await memory()(context);
      backend.connect = async () => void (connected += 1);
      return backend;
    };
    const app = await create(KinetisQueueModule.forRoot({ connections: { default: watched } }));
    await app.close();
    expect(connected).toBe(0);
  });

  test('sync runs a job inside its push, with the providers of its module', async () => {
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: sync() } })],
      providers: [Journal, ...provideJobs(Note)],
    })
    class AppModule {}
    const app = await create(AppModule);
    await app.get(Queue).push(new Note('inline'));
    expect(app.get(Journal, { strict: false }).lines).toEqual(['inline']);
    await app.close();
  });

  test('closing the application closes every backend, also after one that fails to', async () => {
    const closed: string[] = [];
    const closing =
      (name: string): BackendFactory =>
      async (context) => {
        const backend = await memory()(context);
        backend.close = async () => {
          closed.push(name);
          throw new Error('no');
        };
        return backend;
      };
    const app = await create(
      KinetisQueueModule.forRoot({ connections: { default: closing('default'), other: closing('other') } }),
    );
    await app.close();
    expect(closed).toEqual(['default', 'other']);
  });
});

describe('tokens', () => {
  @Injectable()
  class Holder {
    constructor(
      readonly byClass: Queue,
      @InjectQueue('default') readonly byName: Queue,
      @InjectQueue('ledger') readonly ledger: Queue,
      @InjectQueue('ledger', QueueConsumer) readonly consumer: QueueConsumer,
      @Inject(getQueueToken('ledger', ClearableQueue)) readonly clearable: ClearableQueue,
    ) {}
  }

  @Module({
    imports: [KinetisQueueModule.forRoot({ connections: { default: memory(), ledger: memory() } })],
    providers: [Holder],
  })
  class AppModule {}

  test('Queue by class and the connection "default" are one provider; other names have their own', async () => {
    const app = await create(AppModule);
    const holder = app.get(Holder, { strict: false });
    expect(holder.byName).toBe(holder.byClass);
    expect([holder.byClass.name, holder.ledger.name]).toEqual(['default', 'ledger']);
    await holder.ledger.push(new Note('x'));
    expect(await holder.clearable.clear('default')).toBe(1);
    expect(await holder.consumer.reserve(['default'], 1)).toEqual([]);
    await app.close();
  });

  test.each([
    ['a constructor', () => constructed()],
    ['a property', () => withProperty()],
    ['a factory', () => ({ provide: 'x', inject: [getQueueToken('nowhere')], useFactory: () => 1 })],
  ])('an unknown connection in %s is refused with the known ones', async (_, provider) => {
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory(), ledger: memory() } })],
      providers: [provider()],
    })
    class Wrong {}
    await expect(create(Wrong)).rejects.toThrow(/came "nowhere"\. Known: "default", "ledger"/);
  });

  function constructed() {
    @Injectable()
    class Consumer {
      constructor(@InjectQueue('nowhere') readonly queue: Queue) {}
    }
    return Consumer;
  }

  function withProperty() {
    @Injectable()
    class Consumer {
      @InjectQueue('nowhere') readonly queue!: Queue;
    }
    return Consumer;
  }

  test('overrideProvider replaces Queue and a named queue, and what is made over them', async () => {
    const pushed: unknown[] = [];
    const fake = { push: async (job: unknown) => pushed.push(job) };
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Queue)
      .useValue(fake)
      .overrideProvider(getQueueToken('ledger', QueueConsumer))
      .useValue('consumer')
      .compile();
    const holder = testing.get(Holder, { strict: false });
    await holder.byClass.push(new Note('x'));
    expect(pushed).toEqual([new Note('x')]);
    expect(holder.byName).toBe(fake);
    expect(holder.consumer).toBe('consumer');
    await testing.close();
  });

  test('overrideProvider replaces a named queue by its token', async () => {
    const fake = { connection: {}, name: 'fake' };
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory(), ledger: memory() } })],
    })
    class Plain {}
    const testing = await Test.createTestingModule({ imports: [Plain] })
      .overrideProvider(getQueueToken('ledger'))
      .useValue(fake)
      .compile();
    expect(testing.get(getQueueToken('ledger'))).toBe(fake);
    await testing.close();
  });

  test('only what asks for a view meets the refusal of a backend that lacks it', async () => {
    const app = await create(KinetisQueueModule.forRoot({ connections: { default: sync() } }));
    await expect(app.resolve(QueueConsumer)).rejects.toThrow(QueueNotConsumableException);
    await expect(app.resolve(QueueAdmin)).rejects.toThrow(/administr|keep failed jobs/i);
    await app.close();
  });
});

describe('connections given in code', () => {
  const boot = (connections: unknown) =>
    create(KinetisQueueModule.forRoot({ connections } as { connections: { default: BackendFactory } }));

  test.each([
    ['none', {}, /expected "default" among them/],
    ['no default', { ledger: memory() }, /expected "default" among them.*came "ledger"/],
    ['a bad name', { default: memory(), 'a b': memory() }, /came "a b"/],
    ['no function', { default: 'redis' }, /connections\.default: expected a backend.*came "redis"/],
  ])('%s is refused at boot', async (_, connections, message) => {
    const booting = boot(connections);
    await expect(booting).rejects.toThrow(QueueConfigurationException);
    await expect(booting).rejects.toThrow(message);
  });
});

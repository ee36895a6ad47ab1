import { Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  getQueueToken,
  InjectQueue,
  KinetisQueueModule,
  Queue,
  QueueAdmin,
  QueueConfigurationException,
  type QueueConnectionsFactory,
} from '../../lib/index.js';
import { redis } from '../../lib/redis.js';
import { drain, recordQueues, type RecordedQueues } from '../../lib/testing.js';
import { Archive, Book, mail, SendMail, Shop, ShopModule, unreachable } from './shop.js';

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
  vi.unstubAllEnvs();
});

async function recorded(
  queueModule: ReturnType<typeof KinetisQueueModule.forRoot>,
  options?: Parameters<typeof recordQueues>[1],
): Promise<RecordedQueues> {
  const builder = Test.createTestingModule({ imports: [ShopModule, queueModule] });
  const queues = recordQueues(builder, options);
  app = await builder.compile();
  app.useLogger(false);
  await app.init();
  return queues;
}

@Injectable()
class Throwing implements QueueConnectionsFactory<'default' | 'ledger'> {
  constructor() {
    unreachable();
  }

  createQueueConnections = unreachable;
}

@Injectable()
class ThrowingLate implements QueueConnectionsFactory<'default' | 'ledger'> {
  createQueueConnections = unreachable;
}

@Module({ providers: [ThrowingLate], exports: [ThrowingLate] })
class ConnectionsModule {}

const NAMES = ['default', 'ledger'] as const;

const registrations: [string, () => ReturnType<typeof KinetisQueueModule.forRoot>][] = [
  [
    'backends that would need a server',
    () =>
      KinetisQueueModule.forRoot({
        connections: { default: redis({ url: 'redis://127.0.0.1:1' }), ledger: unreachable },
      }),
  ],
  [
    'a factory that throws, and asks for what is not there',
    () =>
      KinetisQueueModule.forRootAsync({ connections: NAMES, inject: ['absent'], useFactory: unreachable }),
  ],
  [
    'a class whose constructor throws',
    () => KinetisQueueModule.forRootAsync({ connections: NAMES, useClass: Throwing }),
  ],
  [
    'a provider that throws when it is asked for connections',
    () =>
      KinetisQueueModule.forRootAsync({
        connections: NAMES,
        imports: [ConnectionsModule],
        useExisting: ThrowingLate,
      }),
  ],
];

describe('recordQueues() replaces every connection of', () => {
  test.each(registrations)('%s', async (_title, registration) => {
    const queues = await recorded(registration());
    queues.nothingPushed();
    const shop = app?.get(Shop);
    await shop?.queue.push(mail());
    await shop?.queue.push(new Book(1));
    await shop?.ledger.push(new Archive(2), { queue: 'old' });
    queues.pushed(SendMail).times(1);
    queues.pushed(Book, { connection: 'ledger', queue: 'books' });
    queues.pushed(Archive, { connection: 'ledger', queue: 'old' });
  });

  test('an environment that says nothing, or what is wrong', async () => {
    @Module({ imports: [KinetisQueueModule.forRoot()] })
    class FromEnvironment {}
    vi.stubEnv('QUEUE_CONNECTION', 'no-such-driver');
    const builder = Test.createTestingModule({ imports: [FromEnvironment] });
    const queues = recordQueues(builder);
    app = await builder.compile();
    await app.get(Queue).push(mail());
    queues.pushed(SendMail);
  });

  test('an environment that would name more connections than the default', async () => {
    const queues = await recorded(KinetisQueueModule.forRoot(), { connections: ['ledger'] });
    await app?.get(Shop).ledger.push(new Archive(1));
    queues.pushed(Archive, { connection: 'ledger' });
    const ledger = await app?.resolve<Queue>(getQueueToken('ledger'));
    expect(await ledger?.size()).toBe(1);
    expect(await app?.resolve(getQueueToken('ledger', QueueAdmin))).toBeInstanceOf(QueueAdmin);
  });
});

test('a connection that the application does not name is refused as ever', async () => {
  @Injectable()
  class Misspelt {
    constructor(@InjectQueue('legder') readonly queue: Queue) {}
  }
  const builder = Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: unreachable } })],
    providers: [Misspelt],
  });
  recordQueues(builder);
  await expect(builder.compile()).rejects.toThrow(/"legder".*Known: "default"/);
});

test('connections beside those that the application names itself are refused', async () => {
  const builder = Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: unreachable } })],
  });
  recordQueues(builder, { connections: ['ledger'] });
  await expect(builder.compile()).rejects.toThrow(QueueConfigurationException);
});

test('no worker runs, where the options ask for one', async () => {
  const queues = await recorded(
    KinetisQueueModule.forRoot({
      connections: { default: unreachable, ledger: unreachable },
      worker: { pollTimeoutSeconds: 1 },
    }),
  );
  await app?.get(Shop).queue.push(mail());
  queues.pushed(SendMail);
  // It refuses to run beside a worker.
  expect(await drain(app as TestingModule)).toMatchObject([{ job: 'SendMail', outcome: 'acked' }]);
});

test('two applications side by side keep records of their own', async () => {
  const connections = { default: unreachable, ledger: unreachable };
  const one = await recorded(KinetisQueueModule.forRoot({ connections }));
  const first = app;
  const other = await recorded(KinetisQueueModule.forRoot({ connections }));
  await first?.get(Shop).queue.push(mail());
  one.pushed(SendMail);
  other.nothingPushed();
  await first?.close();
});

test('metadata is captured, and telemetry told, as in production', async () => {
  const told: string[] = [];
  const queues = await recorded(
    KinetisQueueModule.forRoot({
      connections: { default: unreachable, ledger: unreachable },
      captureMetadata: () => ({ tenant: 'acme' }),
      telemetry: {
        startPush: (push) => {
          told.push(push.class);
          return { end: () => undefined };
        },
      },
    }),
  );
  await app?.get(Shop).queue.push(mail(), { metadata: { trace: '1' } });
  queues.pushed(SendMail, { metadata: { tenant: 'acme' } }).with({ metadata: { trace: '1' } });
  expect(told).toEqual(['SendMail']);
});

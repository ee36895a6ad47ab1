import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Module, Scope, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, expect, test } from 'vitest';
import {
  type BackendFactory,
  Handle,
  Job,
  JobDelivery,
  type JobMiddleware,
  KinetisQueueModule,
  memory,
  provideJobs,
  Queue,
  QueueConfigurationException,
  sync,
} from '../../lib/index.js';
import { Journal } from './support/jobs.js';

const tenant = new AsyncLocalStorage<string>();

@Injectable()
class TenantMiddleware implements JobMiddleware {
  constructor(private readonly journal: Journal) {}

  async use(delivery: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    this.journal.write('tenant opened');
    return tenant.run(delivery.metadata['tenant'] ?? 'none', async () => {
      try {
        return await next();
      } finally {
        this.journal.write('tenant closed');
      }
    });
  }
}

/** Made for each delivery. */
@Injectable({ scope: Scope.REQUEST })
class ScopedMiddleware implements JobMiddleware {
  constructor(
    private readonly journal: Journal,
    private readonly delivery: JobDelivery,
  ) {}

  async use(delivery: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    this.journal.write(`scoped for ${delivery === this.delivery ? 'this delivery' : 'another one'}`);
    return next();
  }

  [Symbol.dispose](): void {
    this.journal.write('scoped disposed');
  }
}

/** What a request-scoped provider sees while it is made. */
@Injectable({ scope: Scope.REQUEST })
class TenantDatabase {
  readonly tenant = tenant.getStore();
}

@Job()
class Report {
  @Handle()
  handle(journal: Journal, database: TenantDatabase): void {
    journal.write(`handled for ${database.tenant}`);
  }
}

let close = async (): Promise<void> => undefined;
afterEach(() => close());

async function start(
  middleware: readonly Type<JobMiddleware>[],
  { backend = memory(), providers = [TenantMiddleware, ScopedMiddleware] as Type[] } = {},
) {
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: backend as BackendFactory },
        worker: {},
        middleware,
      }),
    ],
    providers: [Journal, TenantDatabase, ...providers, ...provideJobs(Report)],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  close = () => app.close();
  return { queue: app.get(Queue), journal: app.get(Journal) };
}

const EXPECTED = [
  'tenant opened',
  'scoped for this delivery',
  'handled for acme',
  'tenant closed',
  'scoped disposed',
];

test('middleware of any scope wraps what is made for a delivery and its handler, in order', async () => {
  const { queue, journal } = await start([TenantMiddleware, ScopedMiddleware]);
  await queue.push(new Report(), { metadata: { tenant: 'acme' } });
  await journal.has(EXPECTED.length);
  expect(journal.lines).toEqual(EXPECTED);
});

test('it wraps a job that runs inside its push too', async () => {
  const { queue, journal } = await start([TenantMiddleware, ScopedMiddleware], { backend: sync() });
  await queue.push(new Report(), { metadata: { tenant: 'acme' } });
  expect(journal.lines).toEqual(EXPECTED);
});

class NoMiddleware {}

test.each([
  ['a class that no module provides', [TenantMiddleware], /TenantMiddleware.*providers/],
  ['a class without use()', [NoMiddleware as Type<JobMiddleware>], /NoMiddleware without one/],
  ['undefined', [undefined as unknown as Type<JobMiddleware>], /middleware\[0\].*undefined/],
])('%s is refused at boot', async (_, middleware, message) => {
  const started = start(middleware, { providers: [] });
  await expect(started).rejects.toThrow(QueueConfigurationException);
  await expect(started).rejects.toThrow(message);
});

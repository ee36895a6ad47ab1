import { Inject, Injectable, type LoggerService, Scope } from '@nestjs/common';
import { ContextIdFactory, type ContextIdStrategy, REQUEST } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  Handle,
  Job,
  JobDelivery,
  KinetisQueueModule,
  memory,
  OnJobFailed,
  provideJobs,
  Queue,
} from '@kinetis/nestjs-queue';
import { runJob } from '@kinetis/nestjs-queue/testing';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { captureTenant, TENANT } from './current-tenant.js';
import { Ledger } from './ledger.js';
import { DeliveryTenant } from './tenant.middleware.js';
import { TenantStrategy } from './tenant.strategy.js';

afterEach(() => ContextIdFactory.apply({ attach: (contextId) => () => contextId }));

@Injectable({ scope: Scope.REQUEST })
class Unit {
  constructor(readonly delivery: JobDelivery) {}
}

/** Durable, over what is made for each delivery. */
@Injectable({ scope: Scope.REQUEST, durable: true })
class Cache {
  constructor(
    readonly unit: Unit,
    @Inject(REQUEST) readonly payload: { readonly tenant?: string },
  ) {}
}

@Job()
class LookAtCache {
  constructor(readonly n: number) {}

  @Handle()
  handle(cache: Cache, ledger: Ledger): void {
    ledger.write(
      `${this.n}: made by ${cache.unit.delivery.metadata['n']} for ${cache.payload.tenant ?? 'nobody'}`,
    );
  }
}

@Job()
class Alarm {
  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    ledger.write(`alarm of ${delivery.metadata[TENANT]}`);
  }
}

@Job()
class Fails {
  @Handle()
  handle(): void {
    throw new Error('It fails.');
  }

  @OnJobFailed()
  async failed(_error: unknown, queue: Queue, delivery: JobDelivery): Promise<void> {
    await queue.push(new Alarm());
    await queue.push(new Alarm(), { metadata: { ...delivery.metadata } });
  }
}

const TENANTS = new Set(['acme', 'globex']);

async function start(
  strategy: ContextIdStrategy | null,
): Promise<{ app: TestingModule; warnings: string[] }> {
  if (strategy !== null) ContextIdFactory.apply(strategy);
  const warnings: string[] = [];
  const silent = () => undefined;
  const logger: LoggerService = {
    log: silent,
    error: silent,
    warn: (text: unknown) => warnings.push(String(text)),
  };
  const app = await Test.createTestingModule({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: memory() },
        captureMetadata: captureTenant,
        middleware: [DeliveryTenant],
        worker: {},
      }),
    ],
    providers: [Unit, Cache, DeliveryTenant, Ledger, ...provideJobs(LookAtCache, Fails, Alarm)],
  }).compile();
  app.useLogger(logger);
  onTestFinished(() => app.close());
  await app.init();
  return { app, warnings };
}

async function look(app: TestingModule, tenants: readonly (string | null)[]): Promise<readonly string[]> {
  const { lines } = app.get(Ledger);
  for (const [n, tenant] of tenants.entries()) {
    const metadata = { n: String(n), ...(tenant === null ? {} : { [TENANT]: tenant }) };
    await app.get(Queue).push(new LookAtCache(n), { metadata });
    await waitFor(`line ${n}`, () => lines.length === n + 1);
  }
  return lines;
}

test('a durable provider over a request-scoped one keeps that of the first delivery, and is warned of at boot', async () => {
  const { app, warnings } = await start(new TenantStrategy(TENANTS));
  expect(warnings).toContainEqual(expect.stringContaining('Cache is durable, but depends on Unit'));
  expect(await look(app, ['acme', 'acme', 'globex'])).toEqual([
    '0: made by 0 for acme',
    '1: made by 0 for acme',
    '2: made by 2 for globex',
  ]);
});

test('without a strategy in the worker durable providers are made for each delivery, without a payload', async () => {
  const { app } = await start(null);
  expect(await look(app, ['acme', 'acme'])).toEqual(['0: made by 0 for nobody', '1: made by 1 for nobody']);
});

/** As it is written where every request has the header. */
const trusting: ContextIdStrategy<{ headers: Record<string, string> }> = {
  attach: (contextId, { headers }) => {
    const tenant = headers[TENANT]?.toLowerCase();
    if (tenant === undefined) throw new Error('No tenant.');
    return { resolve: () => contextId, payload: { tenant } };
  },
};

test('a strategy that throws where the header is missing fails the job, as its own error', async () => {
  const { app } = await start(trusting);
  const outcome = await runJob(app, new LookAtCache(1));
  expect(outcome).toMatchObject({ outcome: 'failed', error: { message: 'No tenant.' } });
});

test('@OnJobFailed() runs after middleware has ended: what it pushes is told its tenant', async () => {
  const { app } = await start(new TenantStrategy(TENANTS));
  await app.get(Queue).push(new Fails(), { metadata: { [TENANT]: 'globex' } });
  await waitFor('both alarms', () => app.get(Ledger).lines.length === 2);
  expect(app.get(Ledger).lines).toEqual(['alarm of undefined', 'alarm of globex']);
});

import type { INestApplication } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { AddressInfo } from 'node:net';
import { Queue, QueueAdmin } from '@kinetis/nestjs-queue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { AppModule } from './app.module.js';
import { TENANT } from './current-tenant.js';
import { Ledger } from './ledger.js';
import { SendInvoice } from './send-invoice.job.js';
import { TenantDatabase } from './tenant-database.js';

let app: INestApplication;

beforeEach(async () => {
  TenantDatabase.opened = 0;
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app = module.createNestApplication({ logger: false });
  app.useLogger(false);
  await app.listen(0, '127.0.0.1');
});
afterEach(async () => {
  await app.close();
  ContextIdFactory.apply({ attach: (contextId) => () => contextId });
});

async function post(invoice: number, tenant: string | null): Promise<void> {
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const headers: Record<string, string> = tenant === null ? {} : { [TENANT]: tenant };
  const response = await fetch(`http://127.0.0.1:${port}/invoices/${invoice}`, { method: 'POST', headers });
  expect(response.status).toBe(201);
}

const written = (count: number) =>
  waitFor(`${count} lines`, () => app.get(Ledger).lines.length === count && app.get(Ledger).lines);

test('a job is of the tenant whose request pushed it, and so are its retries and what it pushes', async () => {
  await post(1, 'acme');
  await post(2, 'globex');
  await post(3, 'acme');
  expect([...(await written(6))].sort()).toEqual([
    'acme archived 1',
    'acme archived 3',
    'acme sent 1 in attempt 2',
    'acme sent 3 in attempt 2',
    'globex archived 2',
    'globex sent 2 in attempt 2',
  ]);
});

test('a durable provider is made once for each tenant, however many deliveries it has', async () => {
  await post(1, 'acme');
  await post(2, 'globex');
  await post(3, 'acme');
  await written(6);
  expect(TenantDatabase.opened).toBe(2);
});

test('a job of nobody fails by what its provider throws, and leaves the tenants alone', async () => {
  await post(1, null);
  await post(2, 'acme');
  await written(2);
  const admin = await app.resolve(QueueAdmin);
  const [failed] = await waitFor('the failed job', async () => {
    const { jobs } = await admin.failed.list({ queue: 'invoices' });
    return jobs.length > 0 && jobs;
  });
  expect(failed?.failure).toMatchObject({
    cause: 'exhausted',
    message: 'Expected the job of a tenant, came one of nobody.',
  });
});

test('a push names another tenant by metadata of its own', async () => {
  await app.get(Queue).push(new SendInvoice(9), { metadata: { [TENANT]: 'globex' } });
  expect(await written(2)).toEqual(['globex sent 9 in attempt 2', 'globex archived 9']);
});

test('a tenant that is not among the known ones keeps nothing in memory', async () => {
  await post(1, 'unknown');
  await post(2, 'acme');
  await written(2);
  expect(TenantDatabase.opened).toBe(1);
});

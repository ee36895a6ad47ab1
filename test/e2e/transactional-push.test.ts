import { type EntityManager, EntitySchema, type MikroORM } from '@mikro-orm/core';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SettleOutcome, TransactionRequiredException } from '../../lib/contract/index.js';
import { KinetisQueueModule, provideJobs } from '../../lib/index.js';
import { InAppWorker } from '../../lib/module/worker/in-app-worker.js';
import { Queue } from '../../lib/queue/index.js';
import { sql } from '../../lib/sql.js';
import { Ledger } from '../support/apps/ledger.js';
import { OutcomesListener } from '../support/apps/outcomes.listener.js';
import { Order } from '../support/apps/transaction-order.job.js';
import { ProcessBench } from '../support/process-bench.js';
import { openOrm } from '../support/sql-files.js';
import { waitFor } from '../support/eventually.js';

const TRANSACTIONS = 100;
/** The number of an order that has no row. */
const OPENING = -1;
const ACQUIRE_TIMEOUT_MS = 100;

interface OrderRow {
  readonly n: number;
}

/** The application's own table, in the file that the queue is in. */
const orderRow = new EntitySchema<OrderRow>({
  name: 'OrderRow',
  tableName: 'orders',
  properties: { n: { type: 'number', primary: true } },
});

let bench: ProcessBench;
let orm: MikroORM;

beforeEach(async () => {
  bench = new ProcessBench();
  await bench.open(90);
  orm = await openOrm(bench.databaseFile, { entities: [orderRow] });
  await orm.schema.updateSchema({ safe: true, dropTables: false });
});

afterEach(() => bench.close());

/** An application whose queue goes over the application's own connection. */
async function application(worker: boolean): Promise<INestApplicationContext> {
  const ledger = new Ledger(join(dirname(bench.databaseFile), 'ledger'));
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: sql({ orm, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS }) },
        ...(worker ? { worker: { concurrency: 2, pollTimeoutSeconds: 1 } } : {}),
      }),
    ],
    providers: [{ provide: Ledger, useValue: ledger }, OutcomesListener, ...provideJobs(Order)],
  })
  class ShopModule {}
  const app = await NestFactory.createApplicationContext(ShopModule, { logger: false, abortOnError: false });
  onTestFinished(() => app.close());
  return app;
}

/** A transaction of the application that writes a row and pushes a job for it, in either order. */
async function placeOrder(em: EntityManager, queue: Queue, n: number): Promise<void> {
  const row = em.create(orderRow, { n });
  em.persist(row);
  if (n % 4 < 2) await em.flush();
  await queue.push(new Order(n), { transaction: em });
  if (n % 4 >= 2) await em.flush();
}

class Undone extends Error {}

/** Commits the even ones, with the two ways that MikroORM has, and rolls back the odd ones, with both ways too. */
async function transact(queue: Queue, n: number): Promise<void> {
  const commits = n % 2 === 0;
  if (n % 3 === 0) {
    const em = orm.em.fork();
    await em.begin();
    await placeOrder(em, queue, n);
    await (commits ? em.commit() : em.rollback());
    return;
  }
  const transaction = orm.em.fork().transactional(async (em) => {
    await placeOrder(em, queue, n);
    if (!commits) throw new Undone();
  });
  if (commits) await transaction;
  else await expect(transaction).rejects.toBeInstanceOf(Undone);
}

/** Four transactions at a time, as requests of an application would come. */
async function transactAll(queue: Queue): Promise<void> {
  const numbers = Array.from({ length: TRANSACTIONS }, (_, n) => n);
  const request = async (): Promise<void> => {
    for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) await transact(queue, n);
  };
  await Promise.all([request(), request(), request(), request()]);
}

/** Shows that the worker takes jobs, before the first transaction begins. */
async function opened(queue: Queue): Promise<void> {
  await queue.push(new Order(OPENING));
  await bench.seen('JobSucceeded');
}

async function expectTheCommittedHalf(queue: Queue): Promise<void> {
  const committed = Array.from({ length: TRANSACTIONS / 2 }, (_, half) => 2 * half);
  await bench.seen('JobSucceeded', 1 + committed.length);
  // Every transaction is over: what is not stored by now never will be.
  expect(await queue.counts('orders')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
  const numbers = bench.lines('start').map(({ n = -1 }) => n);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([OPENING, ...committed]);
  const rows = await orm.em.fork().findAll(orderRow, { orderBy: { n: 'asc' } });
  expect(rows.map(({ n }) => n)).toEqual(committed);
}

describe('100 transactions of an application, half of them rolled back, that push with their transaction', () => {
  it(
    'have exactly the committed half delivered by a worker in a process of its own',
    { timeout: 60_000 },
    async () => {
      const app = await application(false);
      const worker = bench.startWorker('transaction-worker', { leaseSeconds: 90 });
      const queue = app.get(Queue);
      await opened(queue);
      await transactAll(queue);
      await expectTheCommittedHalf(queue);
      expect(worker.child.exitCode).toBeNull();
    },
  );

  it(
    'have exactly the committed half delivered by a worker on the same connection',
    { timeout: 60_000 },
    async () => {
      const app = await application(true);
      const queue = app.get(Queue);
      await opened(queue);
      await transactAll(queue);
      await expectTheCommittedHalf(queue);
      expect(app.get(InAppWorker, { strict: false }).running).toBe(true);
    },
  );
});

/** Watches what the backend answers to settlements. */
function settleOutcomes(queue: Queue): () => readonly SettleOutcome[] {
  const settle = vi.spyOn(queue.connection.backend, 'settle');
  onTestFinished(() => settle.mockRestore());
  return () =>
    settle.mock.settledResults.flatMap((result) => (result.type === 'fulfilled' ? result.value : []));
}

describe('a push without `transaction` while a transaction of the application is open', () => {
  it(
    'is refused by name within its bound and never stored; settlements are tried again, and the worker goes on',
    { timeout: 60_000 },
    async () => {
      const app = await application(true);
      const queue = app.get(Queue);
      const holdFile = join(dirname(bench.databaseFile), 'hold');
      await queue.push(new Order(1, holdFile));
      await bench.seen('start');
      const outcomes = settleOutcomes(queue);
      await orm.em.fork().transactional(async (em) => {
        em.persist(em.create(orderRow, { n: 2 }));
        await em.flush();
        const refused = await queue.push(new Order(2)).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(TransactionRequiredException);
        expect(refused).toMatchObject({ message: expect.stringContaining('transaction: entityManager') });
        // A job ends meanwhile: its ack waits for the connection longer than it may, and was certainly not sent.
        writeFileSync(holdFile, '');
        await waitFor('a settlement to be refused', () =>
          outcomes().some(({ status }) => status === 'refused'),
        );
        expect(bench.lines('JobSucceeded')).toEqual([]);
        await queue.push(new Order(3), { transaction: em });
      });
      await bench.seen('JobSucceeded', 2);
      expect(bench.lines('start').map(({ n, attempt }) => [n, attempt])).toEqual([
        [1, 1],
        [3, 1],
      ]);
      expect(bench.lines('JobSettlementUnknown')).toEqual([]);
      expect(await queue.counts('orders')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
      expect(await orm.em.fork().count(orderRow)).toBe(1);
      await queue.push(new Order(4));
      await bench.seen('JobSucceeded', 3);
      expect(bench.lines('start').map(({ n }) => n)).toEqual([1, 3, 4]);
      expect(app.get(InAppWorker, { strict: false })).toMatchObject({ running: true, result: null });
    },
  );
});

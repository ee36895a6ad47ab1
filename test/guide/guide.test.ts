import { Test, type TestingModule } from '@nestjs/testing';
import { KinetisQueueModule, Queue } from '@kinetis/nestjs-queue';
import { QueueHealthIndicator } from '@kinetis/nestjs-queue/health';
import { sql } from '@kinetis/nestjs-queue/sql';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { always, asked, byAttempt, growing } from './backoffs.js';
import { CallPartner } from './call-partner.job.js';
import { GuideModule } from './guide.module.js';
import { HealthModule } from './health.module.js';
import { ImportFile } from './import-file.job.js';
import { Journal } from './journal.js';
import { SendReceipt } from './order.jobs.js';
import { Busy } from './partner.js';
import { openOrm } from './open-orm.js';
import { placeOrder } from './place-order.js';
import { Receipts } from './receipts.js';
import { Money, Plan, RegisterCustomer } from './register-customer.job.js';
import { Greet } from './greet.job.js';
import { Support } from './support.js';

describe('the examples of the guide, run', () => {
  let app: TestingModule;
  let journal: Journal;
  let queue: Queue;

  beforeEach(async () => {
    app = await Test.createTestingModule({ imports: [GuideModule] }).compile();
    app.useLogger(false);
    await app.init();
    journal = app.get(Journal);
    queue = app.get(Queue);
  });
  afterEach(() => app.close());

  const written = (line: string) =>
    waitFor(`"${line}" among ${journal.lines.join(', ')}`, () => journal.lines.includes(line) || undefined);

  it('refuse a duplicate, push many, run a chain in order', async () => {
    const receipts = app.get(Receipts);
    expect(await receipts.send(1)).toBe(true);
    expect(await receipts.send(1)).toBe(false);
    expect(await receipts.sendMany(2, 1)).toEqual([expect.any(String), null]);
    expect(await receipts.bookAndSend(3)).toHaveLength(2);
    await written('receipt 1 of acme');
    await written('receipt 2 of nobody');
    await written('receipt 3 of nobody');
    const { lines } = journal;
    expect(lines.indexOf('order 3 booked')).toBeLessThan(lines.indexOf('receipt 3 of nobody'));
    expect(lines).toContain('BookOrder ran');
  });

  it('carry arguments of every kind', async () => {
    const address = { street: 'Lane 1', zip: '12345' };
    const since = new Date('2024-02-01');
    const credit = new Money(41n);
    await queue.push(new RegisterCustomer('Ada', since, null, Plan.Paid, credit, address, 'a-secret'));
    await written('Ada, 2024 to now, paid, 42, 12345');
  });

  it('retry, defer, and give up on a job at once', async () => {
    await queue.push(new CallPartner(404));
    await written('CallPartner failed: fatal');
    await written('given up: The partner does not know the order.');
    await queue.push(new CallPartner(429));
    await written('CallPartner ran');
    await queue.push(new CallPartner(500));
    await waitFor(
      'a release',
      () => journal.lines.some((line) => / comes back in [45]/.test(line)) || undefined,
    );
  });

  it('extend a delivery', async () => {
    await queue.push(new ImportFile(['a', 'b']));
    await written('imported b');
    await written('indexed in attempt 1 of 0');
  });

  it('look after failed and waiting jobs', async () => {
    const support = app.get(Support);
    await queue.push(new CallPartner(404));
    await written('CallPartner failed: fatal');
    expect(await support.failedJobs('partner')).toEqual([
      'CallPartner: fatal, The partner does not know the order.',
    ]);
    expect(await support.retryAll('partner')).toBe(1);
    await waitFor(
      'a second failure',
      async () => (await support.failedJobs('partner')).length === 1 || undefined,
    );
    expect(await support.flush('partner')).toBe(1);
    await queue.push(new SendReceipt(9), { delaySeconds: 3_600 });
    await support.hurry('orders');
    await written('receipt 9 of nobody');
    await queue.push(new SendReceipt(10), { delaySeconds: 3_600 });
    expect(await support.discardAll('orders')).toBe(1);
    expect(await queue.counts('orders')).toMatchObject({ delayed: 0, paused: false });
  });

  it('rebuild a job of a class that got another name', async () => {
    await queue.push(new Greet('Ada'));
    await written('greeted Ada in en');
    await written('mail.greet ran');
  });

  it('tell their health', async () => {
    const health = app.select(HealthModule).get(QueueHealthIndicator);
    expect(await health.connectionCheck('queue')).toMatchObject({ queue: { status: 'up' } });
    expect(health.workerCheck('worker')).toMatchObject({ worker: { status: 'up' } });
  });
});

test('the backoffs of the guide are of every form', () => {
  expect([always, byAttempt]).toEqual([30, [10, 60, 300]]);
  expect(growing).toMatchObject({ base: 5 });
  const ask = typeof asked === 'function' ? asked : () => Number.NaN;
  expect([ask(2, new Busy(), {}), ask(2, new Error('other'), {})]).toEqual([60, 10]);
});

test('a job pushed in a transaction that is rolled back is not there', async () => {
  const orm = await openOrm(':memory:');
  await orm.em.getConnection().execute('create table orders (n integer primary key)');
  const app = await Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: sql({ orm }) } })],
  }).compile();
  try {
    const queue = app.get(Queue);
    await placeOrder(orm.em.fork(), queue, 1);
    expect(await queue.size('orders')).toBe(1);
    await expect(placeOrder(orm.em.fork(), queue, 1)).rejects.toThrow();
    expect(await queue.size('orders')).toBe(1);
  } finally {
    await app.close();
    await orm.close(true);
  }
});

test("MikroORM's schema diff leaves the tables of the queue alone", async () => {
  const orm = await openOrm(':memory:');
  try {
    // Fails where the table is not there.
    await orm.em.getConnection().execute('select count(*) from kinetis_queue_jobs');
    expect(await orm.schema.getUpdateSchemaSQL()).not.toContain('kinetis_queue');
  } finally {
    await orm.close(true);
  }
});

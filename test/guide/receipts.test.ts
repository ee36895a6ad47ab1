import { Test } from '@nestjs/testing';
import { KinetisQueueModule, memory, QueueConsumer } from '@kinetis/nestjs-queue';
import { expect, test } from 'vitest';
import { Receipts } from './receipts.js';

test('a receipt is pushed once', async () => {
  const app = await Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
    providers: [Receipts],
  }).compile();
  try {
    const receipts = app.get(Receipts);
    expect(await receipts.send(7)).toBe(true);
    expect(await receipts.send(7)).toBe(false);

    const consumer = await app.resolve(QueueConsumer); // transient: resolve(), not get()
    const job = await consumer.pop(5, ['orders']);
    expect(job).toMatchObject({ class: 'SendReceipt', args: { order: 7 }, attempts: 1 });
    if (job !== null) await consumer.ack(job); // or release, defer, fail
    expect(await receipts.send(7)).toBe(true);
  } finally {
    await app.close();
  }
});

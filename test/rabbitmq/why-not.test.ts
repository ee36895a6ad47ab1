import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it, onTestFinished } from 'vitest';
import { ClearableQueue, KinetisQueueModule, Queue, QueueAdmin } from '../../lib/index.js';
import { rabbitmq, type RabbitMqOptions } from '../../lib/rabbitmq.js';
import { LabelledJob } from '../support/worker-bench.js';

/** A queue over a broker that nothing here reaches: it is refused before. */
async function queueOf(options: RabbitMqOptions): Promise<Queue> {
  @Module({ imports: [KinetisQueueModule.forRoot({ connections: { default: rabbitmq(options) } })] })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  onTestFinished(() => app.close());
  return app.get(Queue);
}

it('a priority on quorum queues is refused with the type that has priorities', async () => {
  const queue = await queueOf({ queueType: 'quorum' });
  const push = queue.push(new LabelledJob('a'), { priority: 5 });
  await expect(push).rejects.toThrow(
    /priority: the backend "rabbitmq" cannot order jobs by priority\. .*`queueType: 'classic'`.* Leave the option out/,
  );
});

it('a priority on classic queues without levels is refused with the option that makes them', async () => {
  const queue = await queueOf({ maxPriority: 0 });
  const push = queue.push(new LabelledJob('a'), { priority: 5 });
  await expect(push).rejects.toThrow(
    /cannot order jobs by priority\. .*`maxPriority: 0`.* Leave the option out/,
  );
});

it('a clear of queues with hold is refused with the delays that can be cleared', async () => {
  const queue = await queueOf({ delays: 'hold' });
  expect(() => new ClearableQueue(queue)).toThrow(/its backend "rabbitmq" cannot\. .*`delays: 'ladder'`/);
  const ladder = await queueOf({});
  expect(() => new ClearableQueue(ladder)).not.toThrow();
});

it('failed jobs that are not kept are refused with the option that keeps them', async () => {
  const queue = await queueOf({ failedJobs: false });
  expect(() => new QueueAdmin(queue)).toThrow(/can do none of these\. .*`failedJobs: false`/);
});

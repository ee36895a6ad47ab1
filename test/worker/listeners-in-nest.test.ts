import { Injectable, Module, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, test } from 'vitest';
import { newHeader } from '../../lib/contract/index.js';
import {
  Handle,
  Job,
  JobDelivery,
  JobMalformed,
  JobStarted,
  JobSucceeded,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  provideJobs,
  Queue,
} from '../../lib/index.js';
import { eventually } from '../support/eventually.js';

const told: string[] = [];
let deliveriesSeen: JobDelivery[] = [];

@Injectable()
class StaticAudit {
  @OnJobEvent(JobSucceeded, JobMalformed)
  note(event: JobSucceeded | JobMalformed): void {
    told.push(`static ${event.constructor.name}`);
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerDeliveryAudit {
  constructor(private readonly delivery: JobDelivery) {}

  @OnJobEvent(JobStarted, JobSucceeded, JobMalformed)
  note(event: JobStarted | JobSucceeded | JobMalformed): void {
    told.push(`per delivery ${event.constructor.name}`);
    deliveriesSeen.push(this.delivery);
  }

  [Symbol.dispose](): void {
    told.push('disposed');
  }
}

@Job()
class Noted {
  @Handle()
  handle(delivery: JobDelivery): void {
    told.push(`handled ${delivery.name}`);
  }
}

@Module({
  imports: [
    KinetisQueueModule.forRoot({
      connections: { default: memory() },
      worker: { queues: ['default'], pollTimeoutSeconds: 1 },
    }),
  ],
  providers: [StaticAudit, PerDeliveryAudit, ...provideJobs(Noted)],
})
class NotedModule {}

test('listeners of every scope are told in the delivery, one instance for all its events, disposed at its end', async () => {
  told.length = 0;
  deliveriesSeen = [];
  const app = await NestFactory.createApplicationContext(NotedModule, { logger: false });
  try {
    await app.get(Queue).push(new Noted());
    await eventually('the delivery to be over', () => told.includes('disposed'));
    expect(told).toEqual([
      'per delivery JobStarted',
      'handled Noted',
      'static JobSucceeded',
      'per delivery JobSucceeded',
      'disposed',
    ]);
    expect(deliveriesSeen[0]).toBe(deliveriesSeen[1]);
  } finally {
    await app.close();
  }
});

test('a malformed item is told to static listeners, and to no other', async () => {
  told.length = 0;
  const app = await NestFactory.createApplicationContext(NotedModule, { logger: false });
  try {
    const { backend } = app.get(Queue).connection;
    const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
    await backend.store([{ id: 'x', queue: 'default', header, body: '{', delaySeconds: 0 }]);
    await app.get(Queue).push(new Noted());
    await eventually('the job behind it to be over', () => told.includes('disposed'));
    expect(told).toContain('static JobMalformed');
    expect(told).not.toContain('per delivery JobMalformed');
  } finally {
    await app.close();
  }
});

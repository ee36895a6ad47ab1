import { Injectable, Module } from '@nestjs/common';
import {
  DeferJobException,
  FailJobException,
  Handle,
  InjectQueue,
  Job,
  JobDelivery,
  JobFailedPermanently,
  type JobMiddleware,
  JobSucceeded,
  KinetisQueueModule,
  OnJobEvent,
  OnJobFailed,
  provideJobs,
  type QueueConnections,
  Queue,
  Sensitive,
} from '../../lib/index.js';

@Injectable()
export class Journal {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }
}

@Job({ queue: 'mail', priority: 5 })
export class SendMail {
  constructor(
    readonly to: string,
    @Sensitive() readonly token: string,
    readonly at: Date,
  ) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`mail to ${this.to} of ${this.at.toISOString()}`);
  }
}

@Job({ maxAttempts: 3, backoff: [10, 60] })
export class Charge {
  constructor(readonly order: number) {}

  @Handle()
  handle(journal: Journal, delivery: JobDelivery): void {
    journal.write(`charge ${this.order}, attempt ${delivery.attempts}`);
    if (this.order === 402) throw new FailJobException('no money');
    if (this.order === 429) throw new DeferJobException(30, 'busy');
    if (this.order >= 500) throw new Error(`order ${this.order} broke`);
  }

  @OnJobFailed()
  failed(error: Error, journal: Journal): void {
    journal.write(`gave up: ${error.message}`);
  }
}

@Job()
export class Archive {
  constructor(readonly order: number) {}

  @Handle()
  async handle(journal: Journal, queue: Queue, delivery: JobDelivery): Promise<void> {
    journal.write(`archived ${this.order} of ${delivery.metadata['tenant'] ?? 'nobody'}`);
    if (this.order === 0) await queue.push(new Archive(0));
  }
}

@Job({ connection: 'ledger', queue: 'books' })
export class Book {
  constructor(readonly order: number) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`booked ${this.order}`);
  }
}

@Injectable()
export class Tagging implements JobMiddleware {
  constructor(private readonly journal: Journal) {}

  async use(delivery: JobDelivery, next: () => Promise<unknown>): Promise<void> {
    this.journal.write(`> ${delivery.name}`);
    await next();
  }
}

@Injectable()
export class Outcomes {
  constructor(private readonly journal: Journal) {}

  @OnJobEvent(JobSucceeded, JobFailedPermanently)
  hear(event: JobSucceeded | JobFailedPermanently): void {
    this.journal.write(`${event.class} ${event instanceof JobSucceeded ? 'succeeded' : 'failed'}`);
  }
}

@Injectable()
export class Shop {
  constructor(
    readonly queue: Queue,
    @InjectQueue('ledger') readonly ledger: Queue,
  ) {}
}

export const at = new Date('2026-01-02T03:04:05.678Z');
export const mail = (to = 'ada@example.com') => new SendMail(to, 'a-secret-token', at);

@Module({
  providers: [Journal, Outcomes, Shop, Tagging, ...provideJobs(SendMail, Charge, Archive, Book)],
  exports: [Journal, Shop],
})
export class ShopModule {}

/** The application with connections that a test gives it. */
export function shopWith(connections: QueueConnections) {
  return {
    imports: [ShopModule, KinetisQueueModule.forRoot({ connections, middleware: [Tagging] })],
  };
}

/** Connections that nobody may open. */
export function unreachable(): never {
  throw new Error('A connection was opened.');
}

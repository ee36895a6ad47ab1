import type { NewJob, QueueBackend, ReservedItem, Settlement } from '@kinetis/nestjs-queue';

/** What a process may ask of a backend that another process lends it. A receipt travels as a number. */
export interface LentCalls {
  about(): Pick<QueueBackend, 'capabilities' | 'leaseSeconds'>;
  store(jobs: readonly NewJob[]): ReturnType<QueueBackend['store']>;
  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]>;
  settle(settlements: readonly Settlement[]): ReturnType<QueueBackend['settle']>;
  count(queue: string): ReturnType<QueueBackend['count']>;
}

export interface LentCall {
  readonly number: number;
  readonly method: keyof LentCalls;
  readonly args: readonly unknown[];
}

export interface LentAnswer {
  readonly number: number;
  readonly answer: unknown;
}

import { BaseAdapter } from '@bull-board/api/dist/queueAdapters/base.js';
import type { QueueAdapterOptions, QueueJob, QueueMetrics } from '@bull-board/api/dist/types.js';
import { BoardError } from './board-error.js';

/**
 * What Bull Board asks of a queue and ours have none of: logs, metrics, schedulers, limits for all workers. It offers
 * less for queues of the type `bull`, and looks for no parents and children behind their jobs.
 */
export abstract class PlainAdapter extends BaseAdapter {
  constructor(options: Partial<QueueAdapterOptions & { allowCompletedRetries: boolean }>) {
    super('bull', options);
  }

  override async addJob(): Promise<QueueJob> {
    throw new BoardError(
      'A board cannot add jobs: a job is an instance of its class, with arguments that are checked. Push it in code. ' +
        'Retry a failed job where it is to run again.',
    );
  }

  override async obliterate(): Promise<void> {
    throw new BoardError('A queue is not destroyed by a board: empty it, and clean its failed jobs.');
  }

  override async getJobLogs(): Promise<string[]> {
    return [];
  }

  override async getMetrics(): Promise<QueueMetrics> {
    throw new BoardError('Nothing is measured for a board: see the metrics of ./opentelemetry.');
  }

  override async getRedisInfo(): Promise<string | null> {
    return null;
  }

  override async getJobSchedulers(): Promise<[]> {
    return [];
  }

  override async getJobSchedulersCount(): Promise<number> {
    return 0;
  }

  override async removeJobScheduler(): Promise<boolean> {
    return false;
  }

  override async updateJobScheduler(): Promise<'not-found'> {
    return 'not-found';
  }

  override async runJobSchedulerNow(): Promise<'not-found'> {
    return 'not-found';
  }

  override async getGlobalConcurrency(): Promise<number | null> {
    return null;
  }

  override async setGlobalConcurrency(): Promise<void> {
    throw new BoardError('How many jobs run at once is an option of each worker: --concurrency.');
  }
}

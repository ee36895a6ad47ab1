import { Injectable } from '@nestjs/common';
import { ClearableQueue, QueueAdmin } from '@kinetis/nestjs-queue';

@Injectable()
export class Support {
  constructor(
    private readonly admin: QueueAdmin,
    private readonly clearable: ClearableQueue,
  ) {}

  /** The newest failed jobs of a queue; `cursor` leads to the next page. */
  async failedJobs(queue: string): Promise<string[]> {
    const { jobs } = await this.admin.failed.list({ queue, limit: 20 });
    return jobs.map(({ job, failure }) => `${job?.class}: ${failure.cause}, ${failure.message}`);
  }

  async retryOrForget(id: string): Promise<void> {
    const outcome = await this.admin.failed.retry(id); // 'retried', 'missing' or 'duplicate'
    if (outcome === 'duplicate') await this.admin.failed.forget(id); // another job has its unique key by now
  }

  async retryAll(queue: string): Promise<number> {
    const { retried } = await this.admin.failed.retryAll({ queue });
    return retried;
  }

  /** Deletes the failed jobs of a queue. */
  flush(queue: string): Promise<number> {
    return this.admin.failed.flush({ queue });
  }

  /** Makes delayed jobs ready now. `browse` also finds and removes single jobs. */
  async hurry(queue: string): Promise<void> {
    const { jobs } = await this.admin.browse.list({ queue, state: 'delayed' });
    for (const { id } of jobs) await this.admin.browse.promote(queue, id);
  }

  /** While a queue is paused no worker of any process takes its jobs; pushes go on. */
  async discardAll(queue: string): Promise<number> {
    await this.admin.pause(queue);
    try {
      return await this.clearable.clear(queue); // ready and delayed ones, not those that run
    } finally {
      await this.admin.resume(queue);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { JobFailedPermanently, JobReleased, JobSucceeded, OnJobEvent } from '@kinetis/nestjs-queue';
import { Journal } from './journal.js';

@Injectable()
export class JobWatch {
  constructor(private readonly journal: Journal) {}

  @OnJobEvent(JobSucceeded, JobReleased)
  attempted(event: JobSucceeded | JobReleased): void {
    const how = event instanceof JobSucceeded ? 'ran' : `comes back in ${event.delaySeconds} s`;
    this.journal.write(`${event.class} ${how}`);
  }

  @OnJobEvent(JobFailedPermanently)
  async alarm({ class: job, cause }: JobFailedPermanently): Promise<void> {
    await Promise.resolve(); // a listener may be async, and is waited for
    this.journal.write(`${job} failed: ${cause}`);
  }
}

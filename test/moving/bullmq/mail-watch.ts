import { Injectable } from '@nestjs/common';
import { JobFailedPermanently, JobSucceeded, OnJobEvent } from '@kinetis/nestjs-queue';

@Injectable()
export class MailWatch {
  readonly lines: string[] = [];

  @OnJobEvent(JobSucceeded)
  completed(event: JobSucceeded): void {
    this.lines.push(`${event.class} ran in attempt ${event.attempts}`);
  }

  /** Once, when no attempt is left; an attempt that comes back is JobReleased. */
  @OnJobEvent(JobFailedPermanently)
  failed(event: JobFailedPermanently): void {
    this.lines.push(`${event.class} failed: ${event.cause}`);
  }
}

import { JobFailedPermanently, JobStarted, JobSucceeded, OnJobEvent } from '@kinetis/nestjs-queue';

export class Listener {
  @OnJobEvent(JobStarted)
  plain(_event: JobStarted): void {}

  @OnJobEvent(JobStarted)
  async waited(_event: JobStarted): Promise<void> {}

  @OnJobEvent(JobStarted)
  withoutTheEvent(): number {
    return 1;
  }

  @OnJobEvent(JobSucceeded, JobFailedPermanently)
  either(event: JobSucceeded | JobFailedPermanently): number {
    return event.durationMs;
  }

  // @ts-expect-error an event that was not asked for
  @OnJobEvent(JobStarted)
  other(event: JobSucceeded): number {
    return event.durationMs;
  }
}

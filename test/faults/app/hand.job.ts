import { Handle, Job } from '@kinetis/nestjs-queue';

/** A job that no worker runs: the trial reserves and settles it by hand. */
@Job({ queue: 'faults', maxAttempts: 5 })
export class HandJob {
  constructor(readonly job: number) {}

  @Handle()
  handle(): void {
    throw new Error('no worker is to run it');
  }
}

import { Handle, Job } from '@kinetis/nestjs-queue';

/** A job whose class no worker lists. */
@Job({ queue: 'faults' })
export class StrangerJob {
  constructor(readonly job: number) {}

  @Handle()
  handle(): void {
    throw new Error('no worker lists this class');
  }
}

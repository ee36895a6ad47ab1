import type { NewJob } from '../../lib/contract/index.js';
import { ScriptedBackend } from './scripted-backend.js';

/** Every job comes out as one that has had so many attempts. */
export class Attempted extends ScriptedBackend {
  constructor(
    readonly attempts: number,
    readonly counts = true,
  ) {
    super();
  }

  override get capabilities() {
    return { ...super.capabilities, countsCrashes: this.counts };
  }

  override store(jobs: readonly NewJob[]) {
    return super.store(jobs.map((job) => ({ ...job, header: { ...job.header, attempts: this.attempts } })));
  }
}

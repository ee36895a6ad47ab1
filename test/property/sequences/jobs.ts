import { Handle, Job } from '../../../lib/jobs/index.js';
import { BRIEF_LEASE_UNITS, secondsOf } from './time.js';

@Job({ name: 'property.note' })
export class Note {
  constructor(readonly text: string) {}
  @Handle() handle(): void {}
}

@Job({ name: 'property.brief-note', leaseSeconds: secondsOf(BRIEF_LEASE_UNITS) })
export class BriefNote {
  constructor(readonly text: string) {}
  @Handle() handle(): void {}
}

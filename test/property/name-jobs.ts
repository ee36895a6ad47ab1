import { Handle, Job } from '../../lib/jobs/index.js';

@Job({ name: 'property.named', queue: 'mail' })
class Named {
  @Handle() handle(): void {}
}

export function newJob(): Named {
  return new Named();
}

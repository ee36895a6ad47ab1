import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Journal } from './journal.js';

@Job({ leaseSeconds: 30, timeoutSeconds: 600 })
export class ImportFile {
  constructor(readonly parts: readonly string[]) {}

  @Handle()
  async handle(journal: Journal, delivery: JobDelivery): Promise<void> {
    for (const part of this.parts) {
      delivery.signal.throwIfAborted(); // or hand the signal on: fetch(url, { signal: delivery.signal })
      journal.write(`imported ${part}`);
    }
    await delivery.extend({ seconds: 120 }); // before work that keeps the event loop busy
    journal.write(`indexed in attempt ${delivery.attempts} of ${delivery.maxAttempts}`);
  }
}

import { QueueServerException, StaleJobHandleException } from '../../../../lib/contract/index.js';
import { QueuedJob } from '../../../../lib/contract/index.js';
import type { SettledOperation } from '../../ledger/entries.js';
import { LedgerWriter } from '../../ledger/ledger-writer.js';
import { type DirectQueue, FAULT_QUEUE } from '../../target.js';
import type { Trial } from '../../trial/trial.js';

/** Takes deliveries by hand as one consumer would, and writes what it does and what it is told, as a worker does. */
export class HandConsumer {
  readonly #ledger: LedgerWriter;

  constructor(
    trial: Trial,
    readonly name: string,
    private readonly direct: DirectQueue,
  ) {
    this.#ledger = new LedgerWriter(trial.folder, name);
  }

  async reserve(limit: number): Promise<readonly QueuedJob[]> {
    const answers = await this.direct.consumer.reserve([FAULT_QUEUE], limit);
    const jobs = answers.filter((answer) => answer instanceof QueuedJob);
    if (jobs.length < answers.length) this.#ledger.write({ kind: 'defect', text: 'a job did not decode' });
    for (const job of jobs) this.#ledger.write({ kind: 'start', ...lineOf(job) });
    return jobs;
  }

  /** The effect is made, or not, as the settlement wants it. */
  finish(job: QueuedJob, operation: SettledOperation): void {
    this.#ledger.write({ kind: operation === 'ack' ? 'end' : 'threw', ...lineOf(job) });
  }

  async settle(job: QueuedJob, operation: SettledOperation): Promise<void> {
    const { id, attempts: attempt } = job;
    const write = (kind: 'settle-ok' | 'settle-stale' | 'settle-unknown'): void =>
      this.#ledger.write({ kind, id, attempt, operation });
    try {
      await this.#send(job, operation);
      write('settle-ok');
    } catch (error) {
      if (error instanceof StaleJobHandleException) write('settle-stale');
      else if (error instanceof QueueServerException) write('settle-unknown');
      else throw error;
    }
  }

  /** Gives the lease up early, so that another consumer may have the job at once. False when it had ended already. */
  async shortenLease(job: QueuedJob): Promise<boolean> {
    try {
      await this.direct.consumer.extend(job, { seconds: 0.05 });
      return true;
    } catch (error) {
      if (error instanceof StaleJobHandleException) return false;
      throw error;
    }
  }

  #send(job: QueuedJob, operation: SettledOperation): Promise<void> {
    const { consumer } = this.direct;
    switch (operation) {
      case 'ack':
        return consumer.ack(job);
      case 'release':
        return consumer.release(job);
      case 'defer':
        return consumer.defer(job);
      case 'fail':
        return consumer.fail(job, new Error('as planned'));
    }
  }
}

function lineOf({ id, attempts, args }: QueuedJob): { job: number; id: string; attempt: number } {
  return { job: Number((args as { job: number }).job), id, attempt: attempts };
}

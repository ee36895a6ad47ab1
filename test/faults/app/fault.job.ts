import { setTimeout as sleep } from 'node:timers/promises';
import { DeferJobException, Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { FaultActs } from './fault-acts.js';
import { payloadOf } from './job-plan.js';

/** Long enough for a settlement that is late to come while it runs. */
const SHORT_MS = 300;

/** Writes when it starts and when its effect is made, and does between what its kind says. */
@Job({ queue: 'faults', maxAttempts: 5, backoff: 0.1 })
export class FaultJob {
  constructor(
    readonly job: number,
    readonly kind: string,
    readonly durationMs: number,
    readonly payload: string,
  ) {}

  @Handle()
  async handle(ledger: LedgerWriter, acts: FaultActs, delivery: JobDelivery): Promise<void> {
    const line = { job: this.job, id: delivery.id, attempt: delivery.attempts };
    ledger.write({ kind: 'start', ...line });
    if (this.payload !== payloadOf(this.job, this.payload.length)) {
      ledger.write({ kind: 'defect', text: `the payload of job ${this.job} is not the one that was pushed` });
    }
    if (this.kind === 'exits') acts.exit(this.job);
    if (this.kind === 'blocks') acts.block(this.job);
    await sleep(this.kind === 'slow-once' && delivery.attempts > 1 ? SHORT_MS : this.durationMs);
    const isFirst = delivery.attempts === 1 && delivery.deferrals === 0;
    if (this.kind === 'throws' || (this.kind === 'throws-once' && isFirst)) {
      ledger.write({ kind: 'threw', ...line });
      throw new Error('as planned');
    }
    if (this.kind === 'defers-once' && isFirst) {
      ledger.write({ kind: 'threw', ...line });
      throw new DeferJobException(0, 'as planned');
    }
    ledger.write({ kind: 'end', ...line });
    if (this.kind === 'dies-after-effect') acts.die(this.job);
  }
}

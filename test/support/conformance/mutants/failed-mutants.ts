import type { RetryOutcome, SettleOutcome, Settlement } from '../../../../lib/contract/index.js';
import { ForwardingBackend } from './forwarding-backend.js';

/** Removes a job that is given up on, though it says that it keeps failed jobs. */
export class DropsFailedJobs extends ForwardingBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return super.settle(
      settlements.map((settlement) =>
        settlement.operation === 'fail'
          ? { operation: 'ack', receipt: settlement.receipt, followUps: [] }
          : settlement,
      ),
    );
  }
}

/** Puts a failed job back and keeps it in the failed store too. */
export class RetriesWithoutRemoving extends ForwardingBackend {
  override async retryFailed(id: string): Promise<RetryOutcome> {
    const failed = await super.findFailed(id);
    const outcome = await super.retryFailed(id);
    if (outcome !== 'retried' || failed === null) return outcome;
    const [item] = await super.reserve([failed.queue], 1);
    if (item !== undefined) {
      const { receipt } = item;
      const header = { v: 1, serial: 0, attempts: 0, deferrals: 0, graceRounds: 0, leaseSeconds: null };
      const again = {
        id,
        queue: failed.queue,
        header: { ...header, priority: 0, rank: 0, uniqueKey: null },
        body: String(failed.body),
        delaySeconds: 0,
      };
      await super.settle([{ operation: 'fail', receipt, failure: failed.failure }]);
      await super.store([again]);
    }
    return outcome;
  }
}

/** Takes a pause for a wish: what is there is handed out. */
export class ForgetsPauses extends ForwardingBackend {
  override async pauseQueue(): Promise<void> {}
}

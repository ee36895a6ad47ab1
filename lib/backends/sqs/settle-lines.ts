import { QueueServerException, type SettleOutcome } from '../../contract/index.js';
import { type BatchAnswer, idOf, outcomesOf } from './batch-answers.js';
import { BatchLine } from './batch-line.js';
import { translateError } from './server-errors.js';
import { BATCH_ENTRIES } from './service-limits.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';
import type { SqsReceipt } from './sqs-receipt.js';

/** What is asked of one message, and by whom: "ack()". */
interface Removal {
  readonly receipt: SqsReceipt;
  readonly action: string;
}

interface Hiding extends Removal {
  /** How long the message stays hidden from now on. */
  readonly seconds: number;
}

interface Lines {
  readonly removals: BatchLine<Removal, SettleOutcome>;
  readonly hidings: BatchLine<Hiding, SettleOutcome>;
}

/** Removals and changes of visibility that are under way together become batches, those of each queue apart. */
export class SettleLines {
  private readonly byQueue = new Map<string, Lines>();

  constructor(private readonly parts: Pick<SqsBackendParts, 'wire' | 'urls'>) {}

  remove(removal: Removal): Promise<SettleOutcome> {
    return this.linesOf(removal.receipt.queue).removals.add(removal);
  }

  hide(hiding: Hiding): Promise<SettleOutcome> {
    return this.linesOf(hiding.receipt.queue).hidings.add(hiding);
  }

  private linesOf(queue: string): Lines {
    let lines = this.byQueue.get(queue);
    if (lines === undefined) {
      lines = {
        removals: new BatchLine(BATCH_ENTRIES, (entries) => this.sendRemovals(queue, entries)),
        hidings: new BatchLine(BATCH_ENTRIES, (entries) => this.sendHidings(queue, entries)),
      };
      this.byQueue.set(queue, lines);
    }
    return lines;
  }

  private sendRemovals(queue: string, entries: readonly Removal[]): Promise<readonly SettleOutcome[]> {
    return this.answered(queue, entries, (url) =>
      this.parts.wire.send('DeleteMessageBatch', {
        QueueUrl: url,
        Entries: entries.map(({ receipt }, place) => ({
          Id: idOf(place),
          ReceiptHandle: receipt.receiptHandle,
        })),
      }),
    );
  }

  private sendHidings(queue: string, entries: readonly Hiding[]): Promise<readonly SettleOutcome[]> {
    return this.answered(queue, entries, (url) =>
      this.parts.wire.send('ChangeMessageVisibilityBatch', {
        QueueUrl: url,
        Entries: entries.map(({ receipt, seconds }, place) => ({
          Id: idOf(place),
          ReceiptHandle: receipt.receiptHandle,
          VisibilityTimeout: seconds,
        })),
      }),
    );
  }

  private async answered(
    queue: string,
    entries: readonly Removal[],
    send: (url: string) => Promise<BatchAnswer>,
  ): Promise<readonly SettleOutcome[]> {
    const name = this.parts.urls.nameOf(queue);
    const actions = entries.map(({ action }) => action);
    try {
      return outcomesOf(await this.parts.urls.with(queue, send), actions, name);
    } catch (error) {
      return actions.map((action) => failedRequest(translateError(error, action, name)));
    }
  }
}

/** What was never sent may have been preceded by the end of the lease, so that only a refusal is certain. */
function failedRequest(error: unknown): SettleOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };
}

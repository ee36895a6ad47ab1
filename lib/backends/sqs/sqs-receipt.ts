import type { Receipt } from '../../contract/index.js';
import type { MessageAttributes } from './message.js';

/** A message as it was received, for a copy in the dead-letter queue. */
export interface ReceivedMessage {
  readonly body: string;
  readonly attributes: MessageAttributes;
}

/** One delivery, by what SQS calls its receipt handle. */
export class SqsReceipt {
  private readonly loss = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    readonly queue: string,
    readonly receiptHandle: string,
    /** When the receive was sent, by the backend's clock in milliseconds: the 12 hours began then at the soonest. */
    readonly askedAtMs: number,
    readonly message: ReceivedMessage,
  ) {}

  /** Aborts when SQS hides the message no longer. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** The message comes back by itself then, whatever is asked for. */
  endsIn(milliseconds: number): void {
    this.settled();
    this.timer = setTimeout(
      () => this.loss.abort(new Error('The message was hidden for 12 hours, which is as long as SQS does.')),
      milliseconds,
    );
    this.timer.unref();
  }

  /** Nobody waits for the end of this delivery any more. */
  settled(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asSqsReceipt(receipt: Receipt): SqsReceipt {
  if (receipt instanceof SqsReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the sqs backend, came one of another backend.');
}

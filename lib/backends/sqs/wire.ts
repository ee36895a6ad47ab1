import type {
  ChangeMessageVisibilityBatchCommandInput,
  ChangeMessageVisibilityBatchCommandOutput,
  DeleteMessageBatchCommandInput,
  DeleteMessageBatchCommandOutput,
  GetQueueAttributesCommandInput,
  GetQueueAttributesCommandOutput,
  GetQueueUrlCommandInput,
  GetQueueUrlCommandOutput,
  ReceiveMessageCommandInput,
  ReceiveMessageCommandOutput,
  SendMessageBatchCommandInput,
  SendMessageBatchCommandOutput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { setTimeout as pause } from 'node:timers/promises';
import { importSqs, type SqsSdk } from './import-sqs.js';
import { sendingOnce, type Attempt } from './sending-once.js';
import { passesSoon, serviceErrorOf } from './service-codes.js';
import type { SqsSettings } from './sqs.options.js';
import { RequestFailed } from './request-failed.js';

/** Every request that this backend makes. */
interface Requests {
  readonly GetQueueUrl: [GetQueueUrlCommandInput, GetQueueUrlCommandOutput];
  readonly GetQueueAttributes: [GetQueueAttributesCommandInput, GetQueueAttributesCommandOutput];
  readonly SendMessageBatch: [SendMessageBatchCommandInput, SendMessageBatchCommandOutput];
  readonly ReceiveMessage: [ReceiveMessageCommandInput, ReceiveMessageCommandOutput];
  readonly DeleteMessageBatch: [DeleteMessageBatchCommandInput, DeleteMessageBatchCommandOutput];
  readonly ChangeMessageVisibilityBatch: [
    ChangeMessageVisibilityBatchCommandInput,
    ChangeMessageVisibilityBatchCommandOutput,
  ];
}

interface SendOptions {
  /** How often a request that the service certainly did not apply, for a reason that passes soon, is sent again. */
  readonly repeats?: number;
  /** How long the service may wait before it answers, in milliseconds. */
  readonly waitMs?: number;
}

interface Open {
  readonly client: SQSClient;
  readonly sdk: SqsSdk;
}

const FIRST_PAUSE_MS = 50;

/**
 * The way to the service: opened at first use, bounded in its waits, shut by `close()`. Each request is sent once, unless
 * the service answered that it did not apply it.
 *
 * Rejects with `RequestFailed`.
 */
export class Wire {
  private opening: Promise<Open> | undefined;
  private closed = false;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(private readonly settings: SqsSettings) {}

  async send<Name extends keyof Requests>(
    name: Name,
    input: Requests[Name][0],
    { repeats = 0, waitMs = 0 }: SendOptions = {},
  ): Promise<Requests[Name][1]> {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await this.track(this.sendOnce(name, input, waitMs));
      } catch (error) {
        const answer = error instanceof RequestFailed ? serviceErrorOf(error.failure) : null;
        if (repeat >= repeats || answer === null || !passesSoon(answer)) throw error;
      }
      await pause(FIRST_PAUSE_MS * 2 ** repeat * (0.5 + Math.random()));
    }
  }

  /** Finds region and credentials, without a request to SQS. */
  async prepare(): Promise<void> {
    const { client } = await this.open();
    try {
      await client.config.region();
      await client.config.credentials();
    } catch (error) {
      throw new RequestFailed(false, error);
    }
  }

  /** Ends the client, if it was made here, when the requests that are under way have ended. */
  async close(): Promise<void> {
    this.closed = true;
    const { opening } = this;
    this.opening = undefined;
    await Promise.allSettled(this.underWay);
    const open = await opening?.catch(() => undefined);
    if (this.settings.client === null) open?.client.destroy();
  }

  private track<T>(request: Promise<T>): Promise<T> {
    this.underWay.add(request);
    const over = (): void => void this.underWay.delete(request);
    request.then(over, over);
    return request;
  }

  private async sendOnce<Name extends keyof Requests>(
    name: Name,
    input: Requests[Name][0],
    waitMs: number,
  ): Promise<Requests[Name][1]> {
    const { client, sdk } = await this.open();
    // The SDK gives each request a class; that its input is this one's the type of `Requests` has checked.
    const Command = sdk[`${name}Command`] as unknown as new (
      input: Requests[Name][0],
    ) => InstanceType<SqsSdk['GetQueueUrlCommand']>;
    const command = new Command(input);
    const attempt: Attempt = { sent: false };
    sendingOnce(command, attempt);
    const timeoutMs = waitMs + this.settings.requestTimeoutMs;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      return (await client.send(command, { abortSignal: abort.signal })) as Requests[Name][1];
    } catch (error) {
      if (abort.signal.aborted) throw new RequestFailed(attempt.sent, abort.signal.reason);
      throw error instanceof RequestFailed ? error : new RequestFailed(attempt.sent, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private open(): Promise<Open> {
    if (this.closed) {
      return Promise.reject(new RequestFailed(false, new Error('This connection of the queue was closed.')));
    }
    this.opening ??= this.openNow();
    return this.opening;
  }

  private async openNow(): Promise<Open> {
    const sdk = await importSqs();
    const client = this.settings.client ?? new sdk.SQSClient({ ...this.settings.clientConfig });
    return { client, sdk };
  }
}

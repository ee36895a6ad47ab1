import { InvalidQueueArgumentException } from '../../contract/index.js';
import { RequestFailed } from './request-failed.js';
import { sdkCause } from './sdk-cause.js';
import { translateError } from './server-errors.js';
import { isMissingQueue, isRefusal, serviceErrorOf } from './service-codes.js';
import { MAX_NAME_LENGTH } from './service-limits.js';
import type { SqsSettings } from './sqs.options.js';
import type { Wire } from './wire.js';

/** How often the look for an address is repeated where the service did not have the time. */
const REPEATS = 3;

/** Addresses of queues by name, each asked for once; one whose queue is gone is forgotten. */
export class QueueUrls {
  private readonly urls = new Map<string, Promise<string>>();

  constructor(
    private readonly wire: Wire,
    private readonly settings: Pick<SqsSettings, 'queuePrefix' | 'accountId' | 'deadLetterQueue'>,
  ) {}

  /** The queue's name on SQS. Throws `InvalidQueueArgumentException` for one that SQS would not have. */
  nameOf(queue: string): string {
    const name = this.settings.queuePrefix + queue;
    if (name.length <= MAX_NAME_LENGTH) return name;
    throw new InvalidQueueArgumentException(
      `queue: expected a name of at most ${MAX_NAME_LENGTH} characters on SQS, the prefix counted, came one of ` +
        `${name.length}. Shorten queuePrefix or the queue's name.`,
    );
  }

  /** Runs a request with the address of the queue. Rejects with `RequestFailed`. */
  async with<T>(queue: string, request: (url: string) => Promise<T>): Promise<T> {
    const name = this.nameOf(queue);
    try {
      return await request(await this.find(name));
    } catch (error) {
      const answer = error instanceof RequestFailed ? serviceErrorOf(error.failure) : null;
      if (answer !== null && isMissingQueue(answer)) this.urls.delete(name);
      throw error;
    }
  }

  /** The same. Rejects with what `translateError` makes of a failure. */
  async asking<T>(queue: string, action: string, request: (url: string) => Promise<T>): Promise<T> {
    try {
      return await this.with(queue, request);
    } catch (error) {
      const { deadLetterQueue } = this.settings;
      const option = queue === deadLetterQueue ? 'deadLetterQueue' : null;
      throw translateError(error, action, this.nameOf(queue), option);
    }
  }

  /** Looks the queue up, unless it was before. Rejects as `asking()`. */
  async check(queue: string, action: string): Promise<void> {
    await this.asking(queue, action, () => Promise.resolve());
  }

  private find(name: string): Promise<string> {
    let url = this.urls.get(name);
    if (url === undefined) {
      url = this.lookUp(name);
      this.urls.set(name, url);
      url.catch(() => this.urls.delete(name));
    }
    return url;
  }

  /** Looking up changes nothing: where it got no good answer, whatever it was for was certainly not sent. */
  private async lookUp(name: string): Promise<string> {
    const { accountId } = this.settings;
    const owner = accountId === null ? {} : { QueueOwnerAWSAccountId: accountId };
    const input = { QueueName: name, ...owner };
    try {
      const { QueueUrl } = await this.wire.send('GetQueueUrl', input, { repeats: REPEATS });
      if (QueueUrl !== undefined) return QueueUrl;
    } catch (error) {
      const answer = error instanceof RequestFailed ? serviceErrorOf(error.failure) : null;
      if (!(error instanceof RequestFailed) || (answer !== null && isRefusal(answer))) throw error;
      throw new RequestFailed(false, sdkCause(error.failure));
    }
    throw new RequestFailed(false, new Error('an answer without an address'));
  }
}

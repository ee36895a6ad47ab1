import type {
  DiagnosingBackend,
  Finding,
  NewJob,
  QueueCounts,
  ReservedItem,
  SettleOutcome,
  Settlement,
  StoreOutcome,
  WaitOptions,
} from '../../contract/index.js';
import { diagnoseSqs } from './diagnose-sqs.js';
import { QueueUrls } from './queue-urls.js';
import { RefusingQueues } from './refusing-queues.js';
import { Sweeps } from './reserve-jobs.js';
import { translateError } from './server-errors.js';
import { settleJobs } from './settle-jobs.js';
import { SettleLines } from './settle-lines.js';
import type { SqsBackendParts } from './sqs-backend-parts.js';
import { SQS_CAPABILITIES } from './sqs.capabilities.js';
import type { SqsSettings } from './sqs.options.js';
import { storeJobs } from './store-jobs.js';
import { waitForWork } from './wait-for-work.js';
import { Wire } from './wire.js';

/** How often a count is asked for again that the service did not have the time for. */
const REPEATS = 3;

/** Jobs as messages of standard queues. The visibility timeout is the lease. */
export class SqsBackend implements DiagnosingBackend {
  readonly driver = 'sqs';
  readonly capabilities = SQS_CAPABILITIES;
  readonly leaseSeconds: number;
  readonly keepsFailedElsewhere: boolean;
  readonly whyNot = {
    clear:
      'PurgeQueue of SQS deletes what workers hold along with what waits, and what comes within a minute after it, is ' +
      'allowed once in 60 seconds, and does not say how much it deleted.',
    failedJobs:
      'SQS shows a message only by receiving it, so that failed jobs cannot be listed: give `deadLetterQueue` to keep ' +
      'them, and read them where you read that queue.',
  };
  private readonly parts: SqsBackendParts;
  private readonly lines: SettleLines;
  private readonly sweeps: Sweeps;

  constructor(
    settings: SqsSettings,
    warn: (message: string) => void,
    now: () => number = () => performance.now(),
  ) {
    this.leaseSeconds = settings.leaseSeconds;
    this.keepsFailedElsewhere = settings.deadLetterQueue !== null;
    const wire = new Wire(settings);
    const urls = new QueueUrls(wire, settings);
    this.parts = { settings, wire, urls, refusing: new RefusingQueues(warn, now), now };
    this.lines = new SettleLines(this.parts);
    this.sweeps = new Sweeps(this.parts, this.lines);
  }

  /** SQS asks nothing of who comes but for a queue: where one is known it is looked up. */
  async connect(): Promise<void> {
    const { wire, urls, settings } = this.parts;
    try {
      await wire.prepare();
    } catch (error) {
      throw translateError(error, 'connect()', '');
    }
    if (settings.deadLetterQueue !== null) await urls.check(settings.deadLetterQueue, 'connect()');
  }

  store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return storeJobs(this.parts, jobs);
  }

  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return this.sweeps.reserve(queues, limit);
  }

  async waitForWork(
    queues: readonly string[],
    { timeoutMs, limit, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    if (signal.aborted) return [];
    const waitSeconds = Math.max(1, Math.min(Math.ceil(timeoutMs / 1_000), this.longestWaitSeconds));
    return waitForWork(this.parts, this.lines, queues, { limit, waitSeconds });
  }

  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return settleJobs(this.parts, this.lines, settlements);
  }

  async count(queue: string): Promise<QueueCounts> {
    const { urls, wire } = this.parts;
    const { Attributes } = await urls.asking(queue, 'count()', (url) =>
      wire.send(
        'GetQueueAttributes',
        {
          QueueUrl: url,
          AttributeNames: [
            'ApproximateNumberOfMessages',
            'ApproximateNumberOfMessagesDelayed',
            'ApproximateNumberOfMessagesNotVisible',
          ],
        },
        { repeats: REPEATS },
      ),
    );
    return {
      ready: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
      delayed: Number(Attributes?.ApproximateNumberOfMessagesDelayed ?? 0),
      // Those that were given back with a delay are among them: to SQS both are messages that are hidden for a while.
      reserved: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
      failed: null,
      oldestReadySeconds: null,
      paused: false,
    };
  }

  diagnose(queues: readonly string[]): Promise<readonly Finding[]> {
    return diagnoseSqs(this.parts, queues);
  }

  close(): Promise<void> {
    return this.parts.wire.close();
  }

  /** A lease is counted from when the receive was sent: a wait must leave the most of it. */
  private get longestWaitSeconds(): number {
    const { waitTimeSeconds, leaseSeconds } = this.parts.settings;
    return Math.min(waitTimeSeconds, Math.floor(leaseSeconds / 3));
  }
}

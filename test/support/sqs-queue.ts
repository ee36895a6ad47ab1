import { randomBytes } from 'node:crypto';
import { afterAll, onTestFinished } from 'vitest';
import { SqsBackend } from '../../lib/backends/sqs/sqs.backend.js';
import { type SqsOptions, sqsSettings } from '../../lib/backends/sqs/sqs.options.js';
import { ConnectionDirectory, Queue, QueueConnection } from '../../lib/queue/index.js';
import { optionsOf } from './conformance/sqs-harness.js';
import { SqsEmulator } from './sqs-emulator.js';
import { SqsGateway } from './sqs-gateway.js';

export { idOf, newJob } from './new-job.js';

/** A backend of a test's own, behind a gateway of its own, with a queue. */
export interface SqsBench {
  readonly emulator: SqsEmulator;
  readonly gateway: SqsGateway;
  readonly backend: SqsBackend;
  readonly connection: QueueConnection;
  readonly api: Queue;
  /** The name of a queue that is there and empty. */
  readonly queue: string;
  /** What the backend has warned of. */
  readonly warnings: readonly string[];
  /** Moves the time of the emulator and that of the backend. */
  advance(seconds: number): Promise<void>;
}

export interface OpenSqsOptions extends SqsOptions {
  /** Attributes of the queue, as SQS names them. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** An emulator for all tests of a file. */
export async function startEmulator(): Promise<SqsEmulator> {
  const emulator = await SqsEmulator.start();
  afterAll(() => emulator.stop());
  return emulator;
}

export function newQueueName(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

/** Everything is closed when the test ends. */
export async function openSqs(emulator: SqsEmulator, options: OpenSqsOptions = {}): Promise<SqsBench> {
  const { attributes = {}, ...own } = options;
  const gateway = await SqsGateway.open(emulator);
  const queue = newQueueName();
  await emulator.createQueue((own.queuePrefix ?? '') + queue, attributes);
  let passedMs = 0;
  const settings = sqsSettings({ ...(own.client === undefined ? optionsOf(gateway) : {}), ...own });
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const backend = new SqsBackend(settings, warn, () => performance.now() + passedMs);
  onTestFinished(async () => {
    await backend.close();
    await gateway.close();
  });
  const reporter = { warn: () => undefined, error: () => undefined };
  const connection = new QueueConnection({ name: 'default', backend, reporter });
  const directory = new ConnectionDirectory();
  directory.add(connection);
  return {
    emulator,
    gateway,
    backend,
    connection,
    queue,
    warnings,
    api: new Queue(connection, directory),
    async advance(seconds) {
      passedMs += seconds * 1_000;
      await emulator.advance(seconds);
    },
  };
}

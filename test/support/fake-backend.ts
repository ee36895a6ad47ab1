import type {
  Capabilities,
  NewJob,
  QueueBackend,
  StoreOptions,
  StoreOutcome,
} from '../../lib/contract/index.js';
import { MEMORY_CAPABILITIES } from '../../lib/backends/memory/index.js';
import {
  ConnectionDirectory,
  Queue,
  QueueConnection,
  type QueueConnectionOptions,
} from '../../lib/queue/index.js';

/** A backend that only stores: it keeps what it was given and answers as it is told. Everything else is refused. */
export class StoringBackend implements QueueBackend {
  readonly driver = 'storing';
  readonly stored: NewJob[] = [];
  readonly options: (StoreOptions | undefined)[] = [];
  answer: (job: NewJob, index: number) => StoreOutcome = () => ({ status: 'applied' });

  constructor(readonly capabilities: Capabilities = MEMORY_CAPABILITIES) {}

  async store(jobs: readonly NewJob[], options?: StoreOptions): Promise<readonly StoreOutcome[]> {
    this.stored.push(...jobs);
    this.options.push(options);
    return jobs.map(this.answer);
  }

  connect = unexpected('connect');
  reserve = unexpected('reserve');
  waitForWork = unexpected('waitForWork');
  settle = unexpected('settle');
  count = unexpected('count');
  async close(): Promise<void> {}
}

function unexpected(method: string): () => Promise<never> {
  return () => Promise.reject(new Error(`${method}() was not expected to be called.`));
}

/** Queues over backends, by connection name, as one application would hold them. */
export function queuesOver<Name extends string>(
  backends: Readonly<Record<Name, QueueBackend>>,
  options: Partial<Pick<QueueConnectionOptions, 'captureMetadata' | 'telemetry' | 'reporter'>> = {},
): Readonly<Record<Name, Queue>> {
  const directory = new ConnectionDirectory();
  const reporter = { warn: () => {}, error: () => {} };
  const queues = Object.entries<QueueBackend>(backends).map(([name, backend]) => {
    const connection = new QueueConnection({ name, backend, reporter, ...options });
    directory.add(connection);
    return [name, new Queue(connection, directory)];
  });
  return Object.fromEntries(queues) as Readonly<Record<Name, Queue>>;
}

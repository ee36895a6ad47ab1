import { describe, InvalidQueueArgumentException, type QueueCounts } from '../contract/index.js';
import type { JobDefinition, JobInstance } from '../jobs/index.js';
import { type ConnectionDirectory, DEFAULT_CONNECTION } from './connection-directory.js';
import { definitionOfPushed } from './prepare-push.js';
import type { DefinedPush } from './pusher.js';
import type { JobEntry, PushEntry, PushOptions, PushResult } from './push-options.js';
import type { QueueConnection } from './queue-connection.js';

/**
 * What an application injects to push jobs. By class it is the connection `default`; `@InjectQueue(name)` gives another.
 *
 * Errors of a push: `InvalidQueueArgumentException` and `UnserializableJobException` mean that nothing was sent; after
 * any other error it is unknown whether the job was stored, unless the error says that it was not.
 *
 * @publicApi
 */
export class Queue {
  /** @internal */
  readonly connection: QueueConnection;
  readonly #directory: ConnectionDirectory;

  constructor(connection: QueueConnection, directory: ConnectionDirectory) {
    this.connection = connection;
    this.#directory = directory;
  }

  /** The connection's name. */
  get name(): string {
    return this.connection.name;
  }

  /**
   * Stores a job; resolves with its id once the backend holds it, or with null when its unique key is held by another
   * job of the queue.
   */
  async push<J extends JobInstance, const O extends PushOptions = Record<never, never>>(
    job: J,
    options?: O,
  ): Promise<PushResult<J, O>>;
  async push(job: JobInstance, options: PushOptions = {}): Promise<string | null> {
    const definition = definitionOfPushed(job, 'push()');
    return this.#route(definition, 'push()').pusher.push(job, definition, options);
  }

  /**
   * Stores many jobs; resolves with their ids in order, null for a duplicate. One step where the backend has
   * `atomicPushMany` (a step for each queue where that is `same-queue`), up to 10,000 entries and 8 MiB. What was not
   * stored is a `PushManyException`, which answers for each entry.
   */
  async pushMany(
    entries: readonly PushEntry[],
    options: Pick<PushOptions, 'transaction'> = {},
  ): Promise<(string | null)[]> {
    const { pushes, target } = this.#routeAll(entries, 'pushMany()');
    return target.pusher.pushMany(pushes, options.transaction);
  }

  /**
   * Stores jobs that run one after the other: each is stored when the one before it has succeeded, and a final failure
   * ends the chain, until that job is retried. Resolves with the ids of all. A step's `delaySeconds` counts from the
   * success before it; a unique key is refused.
   */
  async chain(
    entries: readonly PushEntry[],
    options: Pick<PushOptions, 'transaction'> = {},
  ): Promise<string[]> {
    const { pushes, target } = this.#routeAll(entries, 'chain()');
    return target.pusher.chain(pushes, options.transaction);
  }

  /** Ready and delayed jobs. */
  size(queue = 'default'): Promise<number> {
    return this.connection.size(queue);
  }

  counts(queue = 'default'): Promise<QueueCounts> {
    return this.connection.counts(queue);
  }

  /** Names of queues that hold jobs, where the backend can list them. */
  queues(): Promise<readonly string[]> {
    return this.connection.queues();
  }

  /** Finds the one connection that all entries belong to. */
  #routeAll(
    entries: readonly PushEntry[],
    what: string,
  ): { readonly pushes: readonly DefinedPush[]; readonly target: QueueConnection } {
    if (!Array.isArray(entries)) {
      throw new InvalidQueueArgumentException(
        `${what}: expected an array of jobs, came ${describe(entries)}.`,
      );
    }
    const pushes = entries.map((entry: PushEntry, index) => defined(entry, `${what}[${index}]`));
    const targets = new Set(pushes.map((push, index) => this.#route(push.definition, `${what}[${index}]`)));
    const [target = this.connection] = targets;
    if (targets.size <= 1) return { pushes, target };
    const names = [...targets].map(({ name }) => `"${name}"`).join(' and ');
    throw new InvalidQueueArgumentException(
      `${what}: expected jobs of one connection, came jobs of ${names}. Push them in a call each.`,
    );
  }

  /** Where a job goes: `default` routes a job to the connection that it names, every other queue refuses it. */
  #route(definition: JobDefinition, what: string): QueueConnection {
    const wanted = definition.connection;
    if (wanted === null || wanted === this.name) return this.connection;
    if (this.name === DEFAULT_CONNECTION) return this.#directory.get(wanted);
    throw new InvalidQueueArgumentException(
      `${what}: the job ${definition.name} is declared for the connection "${wanted}", came to "${this.name}". ` +
        `Push it with @InjectQueue('${wanted}'), or with Queue, which routes it there.`,
    );
  }
}

function defined(entry: PushEntry, what: string): DefinedPush {
  if (isEntryWithOptions(entry)) {
    const { job, ...options } = entry;
    return { job, definition: definitionOfPushed(job, what), options };
  }
  return { job: entry, definition: definitionOfPushed(entry, what), options: {} };
}

/** A job has a method `handle`, a `{ job, …options }` has none. */
function isEntryWithOptions(entry: PushEntry): entry is JobEntry {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'job' in entry &&
    typeof (entry as { handle?: unknown }).handle !== 'function'
  );
}

import { AssertionError } from 'node:assert';
import { canBrowse, describe, InvalidQueueArgumentException } from '../../contract/index.js';
import { InAppWorker } from '../../module/worker/in-app-worker.js';
import type { QueueApplication } from '../../module/queue-application.js';
import { DEFAULT_CONNECTION, type QueueConnection } from '../../queue/index.js';
import { applicationOf, type ApplicationUnderTest } from './application-of.js';
import { advanceToNext, readyQueue } from './due-jobs.js';
import type { JobOutcome } from './job-outcome.js';
import { ObservedWorker } from './observed-worker.js';

/**
 * What `drain` runs.
 *
 * @publicApi
 */
export interface DrainOptions {
  /** Only the jobs of this connection; those of every connection without it. */
  readonly connection?: string;
  /** Delayed jobs too, released and deferred ones among them, by their times and without waiting for them (false). */
  readonly delayed?: boolean;
  /** So many deliveries at most: more are taken for a loop (1000). */
  readonly maxJobs?: number;
  /** The cap of jobs that name none, as of a worker (0, a single attempt). */
  readonly maxAttempts?: number;
}

interface Drained {
  readonly connection: QueueConnection;
  readonly worker: ObservedWorker;
}

/**
 * Runs everything that was pushed, one job at a time, and what these jobs push in turn, steps of chains among it;
 * resolves with what became of each delivery, in order, when nothing is ready. A job that throws does not end it: look at
 * the outcomes. For recorded queues, and for backends that can list their queues, such as `memory()`.
 *
 * Errors: `AssertionError` of node:assert beyond `maxJobs`; `InvalidQueueArgumentException` for an unknown connection,
 * while a worker inside the application serves it, or for `delayed` where jobs cannot be browsed;
 * `QueueNotAdministrableException` where queues cannot be listed; `QueueConfigurationException` for an application
 * without queues.
 *
 * @publicApi
 */
export async function drain(app: ApplicationUnderTest, options: DrainOptions = {}): Promise<JobOutcome[]> {
  const application = applicationOf(app, 'drain()');
  const { delayed = false, maxJobs = 1_000, maxAttempts } = options;
  if (!Number.isSafeInteger(maxJobs) || maxJobs < 1) {
    throw new InvalidQueueArgumentException(
      `drain(): maxJobs: expected an integer of 1 or more, came ${describe(maxJobs)}.`,
    );
  }
  const connections = connectionsOf(application, options.connection);
  for (const connection of connections) {
    refuseBesideWorker(app, application, connection);
    if (delayed) refuseUnbrowsable(connection);
  }
  const drained = connections.map((connection) => ({
    connection,
    worker: new ObservedWorker(application, connection, maxAttempts),
  }));
  const outcomes: JobOutcome[] = [];
  for (;;) {
    for (let next = await runNext(drained); next !== null; next = await runNext(drained)) {
      outcomes.push(next);
      if (outcomes.length > maxJobs) throw endless(outcomes, maxJobs);
    }
    if (!delayed || !(await advanceToNext(connections))) return outcomes;
  }
}

/** A connection without deliveries has run its jobs already: refused where it is named. */
function connectionsOf(
  { connections }: QueueApplication,
  name: string | undefined,
): readonly QueueConnection[] {
  if (name === undefined) return connections.all().filter(({ backend }) => backend.capabilities.delivers);
  const connection = connections.get(name);
  connection.assertDelivers();
  return [connection];
}

async function runNext(drained: readonly Drained[]): Promise<JobOutcome | null> {
  for (const { connection, worker } of drained) {
    const queue = await readyQueue(connection);
    const outcome = queue === null ? null : await worker.next(queue);
    if (outcome !== null) return outcome;
  }
  return null;
}

/** Both would take jobs: what the test sees would be chance. */
function refuseBesideWorker(
  app: ApplicationUnderTest,
  { settings }: QueueApplication,
  { name }: QueueConnection,
): void {
  const serves = settings.worker !== undefined && (settings.worker.connection ?? DEFAULT_CONNECTION) === name;
  if (!serves || !(app.get(InAppWorker, { strict: false }) as InAppWorker).running) return;
  throw new InvalidQueueArgumentException(
    `drain(): expected no worker on the connection "${name}", came one that runs inside the application. Record the ` +
      'queues with recordQueues(), or leave `worker` out of the module’s options in this test.',
  );
}

/** Nobody could tell which of its delayed jobs is due next. */
function refuseUnbrowsable({ name, backend }: QueueConnection): void {
  if (canBrowse(backend)) return;
  throw new InvalidQueueArgumentException(
    `drain(): delayed: expected a backend whose jobs can be browsed; "${backend.driver}" of connection "${name}" shows ` +
      'none. Leave the option out, or record the queues with recordQueues().',
  );
}

function endless(outcomes: readonly JobOutcome[], maxJobs: number): AssertionError {
  const counts = new Map<string, number>();
  for (const { job, queue } of outcomes) {
    const place = `${job} on "${queue}"`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 3);
  return new AssertionError({
    message:
      `drain(): expected nothing ready after ${maxJobs} deliveries, came more. Most often ran: ` +
      `${most.map(([place, count]) => `${place} (${count})`).join(', ')}. Does a job push or defer itself without end? ` +
      'If not, raise maxJobs.',
    stackStartFn: drain,
  });
}

import { hostname } from 'node:os';
import { QueueConfigurationException } from '../../contract/index.js';
import { DEFAULT_CONNECTION, type QueueConnection } from '../../queue/index.js';
import { watchedQueues, type WorkerOptions } from '../../worker/index.js';
import { fallbackOf, type GivenWorkerOptions, WORKER_OPTIONS } from '../configuration/worker-options.js';
import type { QueueApplication } from '../queue-application.js';

/** A worker that is about to run: what it serves, how, and what it leaves to others. */
export interface WorkerPlan {
  readonly connection: QueueConnection;
  readonly options: WorkerOptions;
  /** Queues that a listed job of the connection names and this worker does not watch. */
  readonly unwatched: readonly string[];
}

/** The connection that a worker serves. */
export function connectionOf({ connection }: GivenWorkerOptions): string {
  return connection ?? DEFAULT_CONNECTION;
}

/** How a worker is called in log lines and events. */
export function workerNameOf({ name }: GivenWorkerOptions): string {
  return name ?? `${hostname()}:${process.pid}`;
}

/** Completes what was given with the defaults. Throws `QueueConfigurationException` where nothing can be watched. */
export function planWorker(application: QueueApplication, given: GivenWorkerOptions): WorkerPlan {
  const name = connectionOf(given);
  if (!application.settings.connections.includes(name)) {
    const known = application.settings.connections.map((each) => `"${each}"`).join(', ');
    throw new QueueConfigurationException(
      `The connection of a worker (--connection, QUEUE_CONNECTION_NAME, or \`worker.connection\` of the module): expected ` +
        `one of the application's, ${known}; came "${name}".`,
    );
  }
  const connection = application.connections.get(name);
  const listed = watchedQueues(application.jobs.registry, name, DEFAULT_CONNECTION);
  const queues = given.queues ?? listed;
  if (queues.length === 0) {
    throw new QueueConfigurationException(
      `A worker of the connection "${name}" has nothing to watch: no job of it is listed in this application. List ` +
        'jobs with provideJobs(…) in the module that has their dependencies, or name queues with --queue.',
    );
  }
  return {
    connection,
    unwatched: listed.filter((queue) => !queues.includes(queue)),
    options: {
      queues,
      concurrency: given.concurrency ?? fallbackOf(WORKER_OPTIONS.concurrency),
      maxAttempts: given.maxAttempts ?? fallbackOf(WORKER_OPTIONS.maxAttempts),
      pollTimeoutSeconds: given.pollTimeoutSeconds ?? fallbackOf(WORKER_OPTIONS.pollTimeoutSeconds),
      shutdownTimeoutSeconds:
        given.shutdownTimeoutSeconds ?? fallbackOf(WORKER_OPTIONS.shutdownTimeoutSeconds),
      maxConnectionFailures: given.maxConnectionFailures ?? fallbackOf(WORKER_OPTIONS.maxConnectionFailures),
      maxJobs: given.maxJobs ?? fallbackOf(WORKER_OPTIONS.maxJobs),
      maxTimeSeconds: given.maxTimeSeconds ?? fallbackOf(WORKER_OPTIONS.maxTimeSeconds),
      maxMemoryMb: given.maxMemoryMb ?? fallbackOf(WORKER_OPTIONS.maxMemoryMb),
      renewLeases: given.renewLeases ?? fallbackOf(WORKER_OPTIONS.renewLeases),
      timeoutGraceSeconds: given.timeoutGraceSeconds ?? fallbackOf(WORKER_OPTIONS.timeoutGraceSeconds),
      crashAllowance: given.crashAllowance ?? fallbackOf(WORKER_OPTIONS.crashAllowance),
      schemaGraceSeconds: given.schemaGraceSeconds ?? fallbackOf(WORKER_OPTIONS.schemaGraceSeconds),
      once: given.once ?? fallbackOf(WORKER_OPTIONS.once),
      name: workerNameOf(given),
    },
  };
}

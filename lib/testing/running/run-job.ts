import {
  decodeItem,
  describe,
  InvalidQueueArgumentException,
  JobDeclarationException,
} from '../../contract/index.js';
import { type JobDefinition, type JobInstance, rebuildJob } from '../../jobs/index.js';
import type { QueueApplication } from '../../module/queue-application.js';
import { DEFAULT_CONNECTION, type PushOptions, QueueConnection } from '../../queue/index.js';
import { definitionOfPushed } from '../../queue/prepare-push.js';
import { applicationOf, type ApplicationUnderTest } from './application-of.js';
import type { JobOutcome } from './job-outcome.js';
import { ObservedWorker } from './observed-worker.js';
import { OneDelivery } from './one-delivery.js';

/**
 * How the one delivery of `runJob` comes about.
 *
 * @publicApi
 */
export interface RunJobOptions extends Pick<PushOptions, 'queue' | 'maxAttempts' | 'metadata' | 'priority'> {
  /** Which attempt it is, from 1 (1). */
  readonly attempts?: number;
  /** How often the job was deferred before (0). */
  readonly deferrals?: number;
  /** The connection that the job was pushed to: its own, else `default`. */
  readonly connection?: string;
}

/**
 * Runs one job in the application as a worker would: encoded and rebuilt, in a scope of its own, through middleware,
 * with its events and its `failed()`; resolves with what became of it, also where it threw. Nothing is stored, and no
 * server is asked: the limits of the connection's backend hold.
 *
 * Errors: those of a push (`UnserializableJobException`, `InvalidQueueArgumentException`); `JobReconstructionException`
 * where a worker could not rebuild the job; `JobDeclarationException` where no `provideJobs` lists it;
 * `QueueConfigurationException` for an application without queues.
 *
 * @publicApi
 */
export async function runJob(
  app: ApplicationUnderTest,
  job: JobInstance,
  options: RunJobOptions = {},
): Promise<JobOutcome> {
  const application = applicationOf(app, 'runJob()');
  const definition = definitionOfPushed(job, 'runJob()');
  assertListed(application, definition);
  const { attempts = 1, deferrals = 0, connection: name, ...push } = options;
  assertInteger(attempts, 1, 'runJob(): attempts');
  assertInteger(deferrals, 0, 'runJob(): deferrals');
  const served = application.connections.get(name ?? definition.connection ?? DEFAULT_CONNECTION);
  const delivery = new OneDelivery(served.backend, { attempts: attempts - 1, deferrals });
  const { captureMetadata, telemetry } = application.settings;
  const { reporter } = application;
  const parts = { name: served.name, backend: delivery, reporter, captureMetadata, telemetry };
  const connection = new QueueConnection(parts);
  await connection.pusher.push(job, definition, push);
  assertRebuilds(delivery, definition);
  const queue = push.queue ?? definition.queue;
  const outcome = await new ObservedWorker(application, connection).next(queue);
  if (outcome === null) throw new TypeError('runJob(): the job was pushed, and not found again.');
  return outcome;
}

function assertListed({ jobs }: QueueApplication, { name, target }: JobDefinition): void {
  const listed = jobs.registry.find(name);
  if (listed?.target === target) return;
  const came = listed === null ? 'none of that name' : 'another class of that name';
  throw new JobDeclarationException(
    `runJob(): expected ${name} among the jobs that the application lists, came ${came}. Add it to a provideJobs(…) of ` +
      'the module that has what its handle() needs, and import that module in the test.',
  );
}

/** Before it runs: in a worker such a job waits for newer code, and no code of a test will ever come. */
function assertRebuilds({ job, leaseSeconds }: OneDelivery, definition: JobDefinition): void {
  if (job === null) return;
  const { queue, header, body } = job;
  const decoded = decodeItem({ queue, receipt: null, header: { ...header }, body, leaseSeconds });
  if (decoded.kind === 'job') rebuildJob(definition, decoded.job.args);
}

function assertInteger(value: unknown, least: number, what: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  throw new InvalidQueueArgumentException(
    `${what}: expected an integer of ${least} or more, came ${describe(value)}.`,
  );
}

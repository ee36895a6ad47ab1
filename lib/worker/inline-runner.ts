import {
  decodeItem,
  type JobSpan,
  type NewJob,
  type QueuedJob,
  type QueueTelemetry,
} from '../contract/index.js';
import { type DeliveryScope, type DeliveryScopes, JobDelivery, type JobRegistry } from '../jobs/index.js';
import { JobTelemetry } from './job-telemetry.js';
import { rebuild } from './rebuild.js';
import { RunningDelivery } from './running-delivery.js';
import { errorFields, WorkerLog } from './worker-log.js';
import type { WorkerLogger } from './worker-options.js';

/** What an inline run works with. */
export interface InlineRunnerDependencies {
  /** The connection's name. */
  readonly connection: string;
  readonly registry: JobRegistry;
  readonly scopes: DeliveryScopes;
  readonly telemetry: QueueTelemetry | null;
  readonly logger: WorkerLogger;
}

/**
 * Runs a job inside its push: rebuilt and checked as in a worker, in a scope of its own. There is one attempt and no
 * settlement, so that no job events are told: the caller has the outcome in hand.
 */
export class InlineRunner {
  readonly #dependencies: InlineRunnerDependencies;
  readonly #log: WorkerLog;
  readonly #telemetry: JobTelemetry;

  constructor(dependencies: InlineRunnerDependencies) {
    const { connection, logger, telemetry } = dependencies;
    this.#dependencies = dependencies;
    this.#log = new WorkerLog(logger, connection, 'inline');
    this.#telemetry = new JobTelemetry(telemetry, connection, this.#log);
  }

  /**
   * Rejects with the job's own error; a disposal that fails too is logged. When only the disposal fails, that is what it
   * rejects with.
   */
  async run(pushed: NewJob): Promise<void> {
    const job = decodedAgain(pushed);
    const { connection, registry, scopes } = this.#dependencies;
    const definition = registry.find(job.class);
    const delivery = new RunningDelivery(job, connection, job.maxAttempts ?? 0, null);
    const scope = scopes.open(definition, new JobDelivery(delivery));
    const span = this.#telemetry.start(job);
    try {
      // Middleware belongs around this step.
      const rebuilt = rebuild(definition, job);
      if (span === null) await scope.handle(rebuilt);
      else await this.#telemetry.run(span, job, async () => scope.handle(rebuilt));
    } catch (error) {
      await this.#disposeAfter(error, span, job, scope);
      throw error;
    }
    this.#telemetry.end(span, job);
    await scope.dispose();
  }

  async #disposeAfter(
    error: unknown,
    span: JobSpan | null,
    job: QueuedJob,
    scope: DeliveryScope,
  ): Promise<void> {
    this.#telemetry.end(span, job, error);
    try {
      await scope.dispose();
    } catch (failure) {
      this.#log.job('error', 'job.disposal-failed', job, null, errorFields(failure));
    }
  }
}

/** What a job would be when it came out of a store: the handler meets the same values as on any other backend. */
function decodedAgain({ queue, header, body }: NewJob): QueuedJob {
  const decoded = decodeItem({ queue, receipt: null, header: { ...header }, body, leaseSeconds: null });
  if (decoded.kind === 'job') return decoded.job;
  throw decoded.kind === 'newer'
    ? new TypeError('The envelope of a push is newer than its code.')
    : decoded.error;
}

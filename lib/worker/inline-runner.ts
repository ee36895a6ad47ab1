import {
  decodeItem,
  type JobSpan,
  type NewJob,
  type QueuedJob,
  type QueueTelemetry,
} from '../contract/index.js';
import {
  type DeliveryScope,
  type DeliveryScopes,
  JobDelivery,
  type JobRegistry,
  type ProviderRef,
} from '../jobs/index.js';
import { followUpsOf } from '../queue/index.js';
import { JobTelemetry } from './job-telemetry.js';
import { rebuild } from './rebuild.js';
import { RunningDelivery } from './running-delivery.js';
import { throughMiddleware } from './through-middleware.js';
import { errorFields, WorkerLog } from './worker-log.js';
import type { WorkerLogger } from './worker-options.js';

/** What an inline run works with. */
export interface InlineRunnerDependencies {
  /** The connection's name. */
  readonly connection: string;
  readonly registry: JobRegistry;
  readonly scopes: DeliveryScopes;
  /** Around each run, the first outermost; none without it. */
  readonly middleware?: readonly ProviderRef[];
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
   * Runs the job, then what follows it in its chain. Rejects with the error of the job that threw, which ends the chain;
   * a disposal that fails too is logged. When only a disposal fails, that is what it rejects with.
   */
  async run(pushed: NewJob): Promise<void> {
    let next: NewJob | undefined = pushed;
    while (next !== undefined) {
      const job = decodedAgain(next);
      await this.#run(job);
      [next] = followUpsOf(job);
    }
  }

  async #run(job: QueuedJob): Promise<void> {
    const { connection, registry, scopes, middleware = [] } = this.#dependencies;
    const definition = registry.find(job.class);
    const delivery = new JobDelivery(new RunningDelivery(job, connection, job.maxAttempts ?? 0));
    const scope = scopes.open(definition, delivery);
    let span: JobSpan | null = null;
    const work = async (): Promise<unknown> => {
      span = this.#telemetry.start(job);
      const rebuilt = rebuild(definition, job);
      if (span === null) return scope.handle(rebuilt);
      return this.#telemetry.run(span, job, async () => scope.handle(rebuilt));
    };
    try {
      await (middleware.length === 0 ? work() : throughMiddleware(middleware, scope, delivery, work));
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

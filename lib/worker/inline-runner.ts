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
  type JobDefinition,
  JobDelivery,
  type JobRegistry,
  type ProviderRef,
} from '../jobs/index.js';
import { FollowUpPushes, PushTelemetry } from '../queue/index.js';
import { deliveryOutcome, spanErrorOf } from './delivery-outcome.js';
import { JobTelemetry } from './job-telemetry.js';
import { rebuild } from './rebuild.js';
import { RunningDelivery } from './running-delivery.js';
import { APPLIED } from './settlement-sender.js';
import { throughMiddleware } from './through-middleware.js';
import { ACK, type Transition } from './transition.js';
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
  readonly #followUps: FollowUpPushes;

  constructor(dependencies: InlineRunnerDependencies) {
    const { connection, logger, telemetry } = dependencies;
    this.#dependencies = dependencies;
    this.#log = new WorkerLog(logger, connection, 'inline');
    this.#telemetry = new JobTelemetry(telemetry, connection, this.#log);
    const report = (_message: string, error?: unknown): void =>
      this.#log.observerFailed('telemetry', error, null);
    this.#followUps = new FollowUpPushes(
      new PushTelemetry(telemetry, { warn: report, error: report }),
      connection,
    );
  }

  /**
   * Runs the job, then what follows it in its chain. Rejects with the error of the job that threw, which ends the chain;
   * a disposal that fails too is logged. When only a disposal fails, that is what it rejects with.
   */
  async run(pushed: NewJob): Promise<void> {
    const job = decodedAgain(pushed);
    const span = await this.#run(job);
    const followUps = this.#telemetry.within(span, job, () => this.#followUps.of(job));
    try {
      for (const next of followUps.jobs) await this.run(next);
      followUps.end();
    } catch (error) {
      followUps.end(error, 'refused');
      throw error;
    }
  }

  async #run(job: QueuedJob): Promise<JobSpan | null> {
    const { connection, registry, scopes, middleware = [] } = this.#dependencies;
    const definition = registry.find(job.class);
    const running = new RunningDelivery(job, connection, job.maxAttempts ?? 0);
    const delivery = new JobDelivery(running);
    const scope = scopes.open(definition, delivery);
    const work = async (): Promise<unknown> => {
      const span = this.#telemetry.start(job);
      running.span = span;
      const rebuilt = rebuild(definition, job);
      if (span === null) return scope.handle(rebuilt);
      return this.#telemetry.run(span, job, async () => scope.handle(rebuilt));
    };
    try {
      await (middleware.length === 0 ? work() : throughMiddleware(middleware, scope, delivery, work));
    } catch (error) {
      this.#endSpan(running, definition, { operation: 'fail', error, cause: 'fatal' });
      await this.#disposeAfterFailure(job, scope);
      throw error;
    }
    this.#endSpan(running, definition, ACK);
    await scope.dispose();
    return running.span;
  }

  #endSpan(running: RunningDelivery, definition: JobDefinition | null, transition: Transition): void {
    const { job } = running;
    running.span ??= this.#telemetry.start(job);
    if (running.span === null) return;
    const outcome = deliveryOutcome(running, definition, transition, APPLIED);
    this.#telemetry.end(running.span, job, spanErrorOf(transition, APPLIED), outcome);
  }

  async #disposeAfterFailure(job: QueuedJob, scope: DeliveryScope): Promise<void> {
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

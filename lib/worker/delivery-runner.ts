import type { JobSpan, QueuedJob } from '../contract/index.js';
import { JobStarted } from '../events/index.js';
import { type DeliveryScope, JobDelivery, type JobDefinition } from '../jobs/index.js';
import { DeliveryReporter } from './delivery-reporter.js';
import type { EventTeller } from './event-teller.js';
import type { JobTelemetry } from './job-telemetry.js';
import { rebuild } from './rebuild.js';
import { RunningDelivery } from './running-delivery.js';
import { type Settled, SettlementSender } from './settlement-sender.js';
import { ACK, jobErrorOf, type Transition } from './transition.js';
import { type Thrown, verdictOn } from './verdict.js';
import { errorFields, type WorkerLog } from './worker-log.js';
import type { WorkerDependencies, WorkerOptions } from './worker-options.js';

/** Takes one delivery from its scope to its settlement and its disposal. */
export class DeliveryRunner {
  readonly #dependencies: WorkerDependencies;
  readonly #maxAttempts: number;
  readonly #log: WorkerLog;
  readonly #telemetry: JobTelemetry;
  readonly #sender: SettlementSender;
  readonly #reporter: DeliveryReporter;
  readonly #teller: EventTeller;
  readonly #extendLease: ((job: QueuedJob, seconds: number) => Promise<void>) | null;

  constructor(
    dependencies: WorkerDependencies,
    options: Pick<WorkerOptions, 'maxAttempts' | 'name'>,
    observers: { readonly log: WorkerLog; readonly teller: EventTeller; readonly telemetry: JobTelemetry },
  ) {
    const { connection } = dependencies;
    this.#dependencies = dependencies;
    this.#maxAttempts = options.maxAttempts;
    this.#log = observers.log;
    this.#teller = observers.teller;
    this.#telemetry = observers.telemetry;
    this.#sender = new SettlementSender(connection.settler);
    this.#reporter = new DeliveryReporter(observers.log, observers.teller, connection.name, options.name);
    this.#extendLease = connection.backend.capabilities.extend
      ? (job, seconds) => connection.settler.extend(job, { seconds })
      : null;
  }

  /** A job as this worker holds it. The cap is the push's, which has resolved the job's own, else the worker's. */
  hold(job: QueuedJob): RunningDelivery {
    const cap = job.maxAttempts ?? this.#maxAttempts;
    return new RunningDelivery(job, this.#dependencies.connection.name, cap, this.#extendLease);
  }

  /**
   * Runs a delivery to its end. Resolves whatever the job did. Rejects only with the error of a settlement that is no
   * trouble of the server: a defect, after which nobody knows what the backend holds.
   */
  async run(delivery: RunningDelivery): Promise<void> {
    const { job } = delivery;
    const definition = this.#dependencies.registry.find(job.class);
    let thrown = this.#open(delivery, definition);
    const span = this.#telemetry.start(job);
    if (this.#teller.wants(JobStarted)) await this.#reporter.started(delivery);
    if (delivery.scope !== null) thrown = await this.#handle(delivery, delivery.scope, definition, span);
    try {
      // Given back by a forced stop: the handler ended too late to have a say.
      if (!delivery.claim()) this.#telemetry.end(span, job, delivery.abortReason);
      else await this.#settle(delivery, span, thrown);
    } finally {
      if (delivery.scope !== null) await this.#dispose(delivery, delivery.scope);
    }
  }

  /** Returns a delivery that a forced stop could not wait for; nothing happens when it is being settled already. */
  async giveBack(delivery: RunningDelivery): Promise<void> {
    if (!delivery.claim()) return;
    const transition: Transition = { operation: 'give-back', error: delivery.abortReason };
    const settled = await this.#sender.send(delivery.job, transition);
    await this.#reporter.report(delivery, transition, settled, null);
  }

  #open(delivery: RunningDelivery, definition: JobDefinition | null): Thrown | null {
    try {
      delivery.scope = this.#dependencies.scopes.open(definition, new JobDelivery(delivery));
      return null;
    } catch (error) {
      return { error, definition, job: null };
    }
  }

  /** Middleware belongs around this step. */
  async #handle(
    delivery: RunningDelivery,
    scope: DeliveryScope,
    definition: JobDefinition | null,
    span: JobSpan | null,
  ): Promise<Thrown | null> {
    let job: object | null = null;
    try {
      job = rebuild(definition, delivery.job);
      const rebuilt = job;
      if (span === null) await scope.handle(rebuilt);
      else await this.#telemetry.run(span, delivery.job, async () => scope.handle(rebuilt));
      return null;
    } catch (error) {
      return { error, definition, job };
    }
  }

  async #settle(delivery: RunningDelivery, span: JobSpan | null, thrown: Thrown | null): Promise<void> {
    const { job } = delivery;
    const transition = thrown === null ? ACK : this.#transition(delivery, thrown);
    const definition = thrown?.definition ?? null;
    // Lease renewal ends before this.
    let settled: Settled;
    try {
      settled = await this.#sender.send(job, transition);
    } catch (error) {
      this.#telemetry.end(span, job, jobErrorOf(transition) ?? error);
      throw error;
    }
    this.#telemetry.end(span, job, spanError(transition, settled));
    await this.#reporter.report(delivery, transition, settled, definition);
  }

  #transition(delivery: RunningDelivery, thrown: Thrown): Transition {
    const { capabilities } = this.#dependencies.connection.backend;
    const { transition, warning } = verdictOn(delivery, thrown, capabilities);
    if (warning !== null) this.#log.job('warn', 'job.backoff-refused', delivery.job, null, { warning });
    this.#reporter.thrown(delivery, transition, thrown.definition);
    return transition;
  }

  async #dispose(delivery: RunningDelivery, scope: DeliveryScope): Promise<void> {
    try {
      await scope.dispose();
    } catch (error) {
      this.#log.job('error', 'job.disposal-failed', delivery.job, null, errorFields(error));
    }
  }
}

/** The span describes the job's error; a settlement that went wrong only where the handler had returned. */
function spanError(transition: Transition, settled: Settled): unknown {
  if (transition.operation !== 'ack') return transition.error;
  if (settled.status === 'stale') return settled.stale;
  return settled.status === 'unknown' ? settled.failure : undefined;
}

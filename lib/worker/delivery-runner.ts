import { type QueuedJob, StaleJobHandleException } from '../contract/index.js';
import { JobStarted } from '../events/index.js';
import { type DeliveryScope, JobDelivery, type JobDefinition, secretsOf } from '../jobs/index.js';
import { type FollowUps, NO_FOLLOW_UPS } from '../queue/index.js';
import { attemptsLeftOf, crashLimitOf } from './crash-limit.js';
import { deliveryOutcome, type Ending, spanErrorOf } from './delivery-outcome.js';
import { DeliveryReporter } from './delivery-reporter.js';
import type { DeliveryWatch } from './delivery-watch.js';
import type { EventTeller } from './event-teller.js';
import type { JobTelemetry } from './job-telemetry.js';
import { type ExtendLease, Lease } from './lease.js';
import { readableError } from './readable-error.js';
import { rebuild } from './rebuild.js';
import type { RunningDeliveries } from './running-deliveries.js';
import { RunningDelivery } from './running-delivery.js';
import { type Settled, SettlementSender } from './settlement-sender.js';
import { tellFailedJob } from './tell-failed-job.js';
import { settlesFirst } from './settles-first.js';
import { throughMiddleware } from './through-middleware.js';
import { TimeLimit } from './time-limit.js';
import { ACK, type Transition } from './transition.js';
import { type Thrown, type Verdict, verdictOn } from './verdict.js';
import { errorFields, type WorkerLog } from './worker-log.js';
import type { WorkerDependencies, WorkerOptions } from './worker-options.js';

export interface RunnerParts {
  readonly log: WorkerLog;
  readonly teller: EventTeller;
  readonly telemetry: JobTelemetry;
  readonly watch: DeliveryWatch;
  /** A handler did not end in time; its delivery is settled, unless that failed by a defect, which is told. */
  readonly abandoned: (defect: { readonly error: unknown } | null) => void;
  readonly running: RunningDeliveries;
}

/** How far a delivery has come. */
interface Course {
  readonly definition: JobDefinition | null;
  readonly view: JobDelivery;
  job: object | null;
}

/** What was thrown, be it undefined; null where nothing was. */
type Caught = { readonly error: unknown } | null;

/** Takes one delivery from its scope to its settlement and its disposal. */
export class DeliveryRunner {
  readonly #dependencies: WorkerDependencies;
  readonly #options: WorkerOptions;
  readonly #parts: RunnerParts;
  readonly #sender: SettlementSender;
  readonly #reporter: DeliveryReporter;
  readonly #extendLease: ExtendLease | null;

  constructor(dependencies: WorkerDependencies, options: WorkerOptions, parts: RunnerParts) {
    const { connection } = dependencies;
    this.#dependencies = dependencies;
    this.#options = options;
    this.#parts = parts;
    this.#sender = new SettlementSender(connection.settler, connection.backend.capabilities.extend);
    this.#reporter = new DeliveryReporter(parts.log, parts.teller, connection.name, options.name);
    this.#extendLease = connection.backend.capabilities.extend
      ? (job, seconds) => connection.settler.extend(job, { seconds })
      : null;
  }

  /** A job as this worker holds it. The cap is the push's, which has resolved the job's own, else the worker's. */
  hold(job: QueuedJob, reservedAt: number): RunningDelivery {
    const cap = job.maxAttempts ?? this.#options.maxAttempts;
    const delivery = new RunningDelivery(job, this.#dependencies.connection.name, cap);
    if (job.lost !== null) delivery.follow(job.lost);
    if (this.#extendLease !== null && job.leaseSeconds !== null) {
      delivery.lease = this.#leaseOf(delivery, job.leaseSeconds * 1_000, reservedAt, this.#extendLease);
    }
    return delivery;
  }

  /**
   * Runs a delivery to its end. Resolves whatever the job did, once its handler has ended. Rejects only with the error of
   * a settlement that is no trouble of the server: a defect, after which nobody knows what the backend holds.
   */
  async run(delivery: RunningDelivery): Promise<void> {
    if (delivery.job.lost?.aborted === true) return this.#lostBeforeItBegan(delivery);
    const definition = this.#dependencies.registry.find(delivery.job.class);
    const course: Course = { definition, view: new JobDelivery(delivery), job: null };
    const openFailure = this.#open(delivery, course);
    try {
      if (delivery.scope === null) await this.#runWithoutScope(delivery, course, openFailure);
      else if (this.#crashed(delivery) !== null) await this.#refuse(delivery, course);
      else await this.#runInScope(delivery, delivery.scope, course);
    } finally {
      delivery.unfollow();
      if (delivery.scope !== null) await this.#dispose(delivery, delivery.scope);
    }
  }

  /** Its server gives it to another worker: nothing is run, and there is nothing to settle. */
  async #lostBeforeItBegan(delivery: RunningDelivery): Promise<void> {
    const { queue, id } = delivery.job;
    if (!delivery.claim()) return;
    const stale = new StaleJobHandleException('release', queue, id);
    const transition: Transition = { operation: 'give-back', error: null };
    const settled: Settled = { status: 'stale', stale };
    this.#endSpan(delivery, null, transition, settled);
    await this.#report(delivery, transition, settled, null);
  }

  /** Returns a delivery that a forced stop could not wait for; nothing happens when it is being settled already. */
  async giveBack(delivery: RunningDelivery): Promise<void> {
    if (!delivery.claim()) return;
    await delivery.lease?.end();
    const transition: Transition = { operation: 'give-back', error: delivery.stopReason };
    let settled: Settled;
    try {
      settled = await this.#sender.send(delivery.job, transition);
    } catch (error) {
      this.#endSpan(delivery, null, transition, { status: 'unknown', failure: error });
      throw error;
    }
    this.#endSpan(delivery, null, transition, settled);
    await this.#report(delivery, transition, settled, null);
  }

  #leaseOf(delivery: RunningDelivery, lengthMs: number, reservedAt: number, extend: ExtendLease): Lease {
    const { job } = delivery;
    const { log, watch } = this.#parts;
    return new Lease({
      job,
      lengthMs,
      reservedAt,
      extend,
      lost: (reason) => {
        log.job('warn', 'job.lease-lost', job, delivery.durationMs, { error: reason.message });
        delivery.abort(reason);
      },
      failed: (error) => {
        log.job('warn', 'job.renewal-failed', job, delivery.durationMs, errorFields(error));
      },
      rescheduled: () => watch.watch(delivery),
    });
  }

  #open(delivery: RunningDelivery, { definition, view }: Course): Caught {
    try {
      delivery.scope = this.#dependencies.scopes.open(definition, view);
      return null;
    } catch (error) {
      return { error: readableError(error) };
    }
  }

  async #runWithoutScope(delivery: RunningDelivery, course: Course, openFailure: Caught): Promise<void> {
    delivery.span = this.#parts.telemetry.start(delivery.job);
    this.#reporter.begins(delivery, this.#attemptsLeft(delivery));
    if (this.#parts.teller.wants(JobStarted)) await this.#started(delivery);
    await this.#conclude(delivery, course, openFailure);
  }

  #attemptsLeft(delivery: RunningDelivery): number | null {
    const { countsCrashes } = this.#dependencies.connection.backend.capabilities;
    return countsCrashes ? attemptsLeftOf(delivery, this.#options.crashAllowance) : null;
  }

  #crashed(delivery: RunningDelivery): Error | null {
    const { countsCrashes } = this.#dependencies.connection.backend.capabilities;
    return countsCrashes ? crashLimitOf(delivery, this.#options.crashAllowance) : null;
  }

  /** Gives up on a job that ended too many workers, without running it. */
  async #refuse(delivery: RunningDelivery, course: Course): Promise<void> {
    if (!delivery.claim()) return;
    const error = this.#crashed(delivery);
    const transition: Transition = { operation: 'fail', error, cause: 'crash-limit' };
    await this.#settle(delivery, course, { transition, warning: null });
  }

  async #runInScope(delivery: RunningDelivery, scope: DeliveryScope, course: Course): Promise<void> {
    const timeoutSeconds = course.definition?.timeoutSeconds ?? null;
    if (timeoutSeconds === null) {
      await this.#conclude(delivery, course, await this.#handle(delivery, scope, course));
      return;
    }
    const limit = new TimeLimit(timeoutSeconds, this.#options.timeoutGraceSeconds);
    delivery.limit = limit;
    const handling = this.#handle(delivery, scope, course);
    const inTime = await Promise.race([handling.then(() => true), limit.graceOver.then(() => false)]);
    if (inTime) await this.#conclude(delivery, course, await handling);
    else await this.#abandon(delivery, course, handling);
  }

  /** Middleware, and the job within. Never rejects. */
  async #handle(delivery: RunningDelivery, scope: DeliveryScope, course: Course): Promise<Caught> {
    const { middleware = [] } = this.#dependencies;
    const work = (): Promise<unknown> => this.#work(delivery, scope, course);
    try {
      await (middleware.length === 0 ? work() : throughMiddleware(middleware, scope, course.view, work));
      return null;
    } catch (error) {
      return { error: readableError(error) };
    } finally {
      delivery.limit?.end();
    }
  }

  /** Tells that the job has started, then begins with it. What it throws at once is a failure like a rejection. */
  #work(delivery: RunningDelivery, scope: DeliveryScope, course: Course): Promise<unknown> {
    // A span of one that was given back meanwhile would have nobody to end it.
    if (!delivery.claimed) delivery.span = this.#parts.telemetry.start(delivery.job);
    this.#reporter.begins(delivery, this.#attemptsLeft(delivery));
    if (!this.#parts.teller.wants(JobStarted)) return this.#begin(delivery, scope, course);
    return this.#started(delivery).then(() => this.#begin(delivery, scope, course));
  }

  #started(delivery: RunningDelivery): Promise<void> {
    return this.#parts.telemetry.within(delivery.span, delivery.job, () => this.#reporter.started(delivery));
  }

  #begin(delivery: RunningDelivery, scope: DeliveryScope, course: Course): Promise<unknown> {
    const { telemetry, watch } = this.#parts;
    const { span } = delivery;
    if (delivery.limit !== null) {
      delivery.limit.begin();
      watch.watch(delivery);
    }
    const job = rebuild(course.definition, delivery.job);
    course.job = job;
    return span === null
      ? scope.handle(job)
      : telemetry.run(span, delivery.job, async () => scope.handle(job));
  }

  /** The job fails now. Its handler keeps slot and scope until it ends, so that there are never more than slots. */
  async #abandon(delivery: RunningDelivery, course: Course, handling: Promise<Caught>): Promise<void> {
    const { log, abandoned } = this.#parts;
    const { timeoutGraceSeconds } = this.#options;
    log.job('error', 'job.abandoned', delivery.job, delivery.durationMs, {
      timeoutGraceSeconds,
      advice: ABANDONED,
    });
    let defect: Caught = null;
    try {
      await this.#conclude(delivery, course, null);
    } catch (error) {
      defect = { error };
    }
    delivery.abandoned = true;
    abandoned(defect);
    await handling;
    log.job('warn', 'job.abandoned-ended', delivery.job, delivery.durationMs);
  }

  /** The handler has ended, or is not waited for any more. */
  #conclude(delivery: RunningDelivery, course: Course, caught: Caught): Promise<void> | undefined {
    this.#parts.watch.ended(delivery);
    // Given back by a forced stop: the handler ended too late to have a say.
    if (!delivery.claim()) return undefined;
    const { timeout } = delivery;
    const outcome: Caught = timeout === null ? caught : { error: timeout };
    const verdict = outcome === null ? SUCCESS : this.#verdict(delivery, course, outcome.error);
    return this.#settle(delivery, course, verdict);
  }

  #verdict(delivery: RunningDelivery, { definition, job }: Course, error: unknown): Verdict {
    const { capabilities } = this.#dependencies.connection.backend;
    const { schemaGraceSeconds } = this.#options;
    const thrown: Thrown = { error, definition, job };
    return verdictOn(delivery, thrown, { capabilities, schemaGraceSeconds });
  }

  async #settle(delivery: RunningDelivery, course: Course, { transition, warning }: Verdict): Promise<void> {
    const { job } = delivery;
    const { log } = this.#parts;
    const { definition } = course;
    if (warning !== null) log.job('warn', 'job.backoff-refused', job, null, { warning });
    this.#reporter.thrown(delivery, transition, definition);
    const renewal = delivery.lease?.end() ?? null;
    if (renewal !== null) await renewal;
    const secrets = transition.operation === 'fail' ? secretsOf(definition, job.args) : [];
    let followUps = NO_FOLLOW_UPS;
    let settled: Settled;
    try {
      if (transition.operation === 'ack' && job.body.chain.length > 0) followUps = this.#followUps(delivery);
      const { running } = this.#parts;
      const refused = this.#settlesFirst ? (): void => running.stillHeld(delivery) : undefined;
      const sending = this.#sender.send(job, transition, secrets, followUps, refused);
      if (this.#freesSlot(delivery, transition, followUps)) running.settling(delivery);
      settled = await sending;
    } catch (error) {
      followUps.end(error);
      this.#endSpan(delivery, definition, transition, { status: 'unknown', failure: error });
      throw error;
    }
    // A stale ack has stored nothing, for certain.
    followUps.end(spanErrorOf(ACK, settled), settled.status === 'stale' ? 'refused' : 'unknown');
    this.#endSpan(delivery, definition, transition, settled);
    const telling = this.#report(delivery, transition, settled, definition);
    if (telling !== undefined) await telling;
    if (transition.operation === 'fail' && settled.status === 'applied') {
      await this.#tellFailed(delivery, course, transition.error);
    }
  }

  /** What takes several steps is not on its way yet; a handler that was given up on keeps its slot. */
  #freesSlot({ limit }: RunningDelivery, { operation }: Transition, followUps: FollowUps): boolean {
    const isOver = (limit?.expired ?? null) === null;
    return this.#settlesFirst && isOver && operation !== 'fail' && followUps === NO_FOLLOW_UPS;
  }

  get #settlesFirst(): boolean {
    return settlesFirst(this.#dependencies.connection, this.#options);
  }

  #tellFailed(delivery: RunningDelivery, course: Course, error: unknown): Promise<void> {
    const { log, telemetry } = this.#parts;
    return telemetry.within(delivery.span, delivery.job, () => tellFailedJob(delivery, course, error, log));
  }

  /** The next job of a chain is pushed by the delivery before it. */
  #followUps(delivery: RunningDelivery): FollowUps {
    const { followUps } = this.#dependencies.connection;
    return this.#parts.telemetry.within(delivery.span, delivery.job, () => followUps.of(delivery.job));
  }

  /** Of every delivery that is settled, also where it ended before its handler could begin. */
  #endSpan(
    delivery: RunningDelivery,
    definition: JobDefinition | null,
    transition: Transition,
    ending: Ending,
  ): void {
    const { telemetry } = this.#parts;
    const { job } = delivery;
    delivery.span ??= telemetry.start(job);
    if (delivery.span === null) return;
    const outcome = deliveryOutcome(delivery, definition, transition, ending);
    telemetry.end(delivery.span, job, spanErrorOf(transition, ending), outcome);
  }

  #report(
    delivery: RunningDelivery,
    transition: Transition,
    settled: Settled,
    definition: JobDefinition | null,
  ): Promise<void> | undefined {
    if (delivery.span === null) return this.#reporter.report(delivery, transition, settled, definition);
    return this.#reportWithin(delivery, transition, settled, definition);
  }

  #reportWithin(
    delivery: RunningDelivery,
    transition: Transition,
    settled: Settled,
    definition: JobDefinition | null,
  ): Promise<void> | undefined {
    return this.#parts.telemetry.within(delivery.span, delivery.job, () =>
      this.#reporter.report(delivery, transition, settled, definition),
    );
  }

  #dispose(delivery: RunningDelivery, scope: DeliveryScope): Promise<void> {
    return scope.dispose().catch((error: unknown) => {
      this.#parts.log.job('error', 'job.disposal-failed', delivery.job, null, errorFields(error));
    });
  }
}

const ABANDONED =
  'its attempt has failed, and its handler goes on and keeps its slot until it ends: pass the signal of the delivery ' +
  'on to what it waits for';

const SUCCESS: Verdict = { transition: ACK, warning: null };

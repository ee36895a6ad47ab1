import {
  assertQueueNames,
  assertTimeoutSeconds,
  DecodingDefectException,
  InvalidQueueArgumentException,
  type MalformedJobSettledException,
  QueuedJob,
} from '../contract/index.js';
import { JobMalformed } from '../events/index.js';
import type { ReserveAnswer } from '../queue/index.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliveryWatch } from './delivery-watch.js';
import { EventTeller } from './event-teller.js';
import { Intake } from './intake.js';
import { JobTelemetry } from './job-telemetry.js';
import { Outage } from './outage.js';
import { pausedAmong } from './paused-queues.js';
import { isMisconfiguration } from './misconfiguration.js';
import { LONGEST_TIMER_MS, settledWithin } from './pause.js';
import { RunLimits } from './run-limits.js';
import { RunningDeliveries } from './running-deliveries.js';
import type { RunningDelivery } from './running-delivery.js';
import { errorFields, WorkerLog } from './worker-log.js';
import type { WorkerDependencies, WorkerOptions, WorkerResult } from './worker-options.js';
import type { WorkerStatus } from './worker-status.js';

/** How long handlers have to end after their signals were aborted, and then the backend to take the rest back. */
const FORCED_STOP_STEP_MS = 1_000;
const NOT_GIVEN_BACK = 'a delivery could not be given back';
const SETTLEMENT_FAILED = 'a settlement failed in a way that is no trouble of the server';

/**
 * Runs the jobs of one connection. `run()` is the loop of a worker; `processNext()` is a single step of it, for tests
 * and for scripts that run a number of jobs and end.
 *
 * @publicApi
 */
export class QueueWorker {
  readonly #dependencies: WorkerDependencies;
  readonly #options: WorkerOptions;
  readonly #log: WorkerLog;
  readonly #teller: EventTeller;
  readonly #telemetry: JobTelemetry;
  readonly #runner: DeliveryRunner;
  readonly #running = new RunningDeliveries();
  readonly #watch: DeliveryWatch;
  readonly #looking = new AbortController();
  #intake: Intake | null = null;
  #result: Promise<WorkerResult> | null = null;
  #ended = false;
  #defect: WorkerResult | null = null;
  #shutdownTimer: NodeJS.Timeout | null = null;
  #forced: Promise<void> | null = null;
  #endForced: (result: WorkerResult) => void = () => undefined;
  readonly #forcedResult = new Promise<WorkerResult>((resolve) => (this.#endForced = resolve));

  constructor(dependencies: WorkerDependencies, options: WorkerOptions) {
    const { connection, listeners, scopes, logger, telemetry } = dependencies;
    this.#dependencies = dependencies;
    this.#options = options;
    this.#log = new WorkerLog(logger, connection.name, options.name);
    this.#teller = new EventTeller(listeners, scopes, this.#log);
    this.#telemetry = new JobTelemetry(telemetry, connection.name, this.#log);
    this.#watch = new DeliveryWatch(this.#running, options.renewLeases, this.#log);
    this.#runner = new DeliveryRunner(dependencies, options, {
      log: this.#log,
      teller: this.#teller,
      telemetry: this.#telemetry,
      watch: this.#watch,
      running: this.#running,
      abandoned: (defect) => this.#abandoned(defect),
    });
  }

  /** For health checks. */
  get status(): WorkerStatus {
    const intake = this.#ended || this.stopping ? null : this.#intake;
    return {
      sinceLastTurnMs: intake?.sinceLastTurnMs ?? 0,
      pollTimeoutSeconds: this.#options.pollTimeoutSeconds,
      reached: intake?.reached ?? false,
      stopping: this.stopping,
      running: this.#running.size,
      jobs: this.#running.jobs(),
    };
  }

  /** It takes no more work: it was told to stop, or its run is ending. */
  get stopping(): boolean {
    return this.#looking.signal.aborted;
  }

  /**
   * Handles at most one delivery, or one malformed item, and resolves with whether there was one. `timeoutSeconds` 0
   * looks without a deadline. After a stop it resolves with false. It waits for the handler to end, also for one whose
   * time is over.
   *
   * Errors: those of the backend while it looks; `DecodingDefectException`; the error of a settlement that is no
   * trouble of the server. An error of the job is none of them.
   */
  async processNext(timeoutSeconds: number, queues = this.#options.queues): Promise<boolean> {
    const { connection } = this.#dependencies;
    connection.assertDelivers();
    assertTimeoutSeconds(timeoutSeconds, 'processNext(): timeoutSeconds');
    assertQueueNames(queues, 'processNext(): queues');
    const timeoutMs = timeoutSeconds === 0 ? Infinity : timeoutSeconds * 1_000;
    const { signal } = this.#looking;
    const { answers, askedAt } = await connection.next(queues, { limit: 1, timeoutMs, signal });
    const [answer] = answers;
    if (answer === undefined) return false;
    if (answer instanceof DecodingDefectException) throw answer;
    if (answer instanceof QueuedJob) await this.#serve(this.#hold(answer, askedAt));
    else await this.#tellMalformed(answer);
    return true;
  }

  /**
   * Takes and runs jobs, up to `concurrency` at a time, until it is stopped or something ends it; resolves once all
   * that it ran has ended. A second call answers with the same run.
   *
   * Errors: `InvalidQueueArgumentException` for an empty or bad list of queues, `QueueNotConsumableException` for a
   * connection without deliveries. Everything else is a result.
   */
  run(): Promise<WorkerResult> {
    return (this.#result ??= this.#run());
  }

  /**
   * Takes no more work; what runs is finished and settled, then `run()` resolves. After `shutdownTimeoutSeconds` the stop
   * is forced. Further calls change nothing.
   */
  stop(): void {
    if (!this.stopping && this.#running.size > 0) this.#logDrain();
    this.#looking.abort();
    this.#boundDrain();
  }

  /** Whoever watches a stop that takes long wants to know what for. */
  #logDrain(): void {
    this.#log.worker('log', 'worker.draining', {
      running: this.#running.jobs(),
      forcedInSeconds: this.#options.shutdownTimeoutSeconds,
    });
  }

  /** The drain is not waited for longer than the shutdown timeout, from now on. */
  #boundDrain(): void {
    if (this.#shutdownTimer !== null || this.#result === null || this.#ended) return;
    const timeoutMs = Math.min(this.#options.shutdownTimeoutSeconds * 1_000, LONGEST_TIMER_MS);
    this.#shutdownTimer = setTimeout(() => void this.forceStop(), timeoutMs);
  }

  /**
   * Aborts the signals of running jobs, waits a second, gives back what still runs and lets `run()` resolve with 1. A
   * handler that ends later changes nothing any more. Resolves when that is done; further calls wait for the same.
   */
  forceStop(): Promise<void> {
    return (this.#forced ??= this.#force());
  }

  async #run(): Promise<WorkerResult> {
    const { connection } = this.#dependencies;
    assertQueueNames(this.#options.queues, 'run(): queues');
    if (this.#options.queues.length === 0) {
      throw new InvalidQueueArgumentException(
        'run(): queues: expected at least one queue, came an empty list.',
      );
    }
    connection.assertDelivers();
    const { queues, concurrency } = this.#options;
    this.#log.worker('log', 'worker.started', { queues, concurrency });
    const stopObserving = this.#telemetry.watch(connection, queues);
    const drained = await Promise.race([this.#work(), this.#forcedResult]);
    // Jobs that ended because they were aborted do not make a forced stop a graceful one.
    const result = this.#forced === null ? drained : await this.#forcedResult;
    this.#ended = true;
    stopObserving();
    this.#looking.abort();
    this.#watch.stop();
    if (this.#shutdownTimer !== null) clearTimeout(this.#shutdownTimer);
    const { exitCode, reason, error } = result;
    this.#log.worker(exitCode === 0 ? 'log' : 'error', 'worker.stopped', {
      exitCode,
      reason,
      ...(error === undefined ? {} : errorFields(error)),
    });
    return result;
  }

  async #work(): Promise<WorkerResult> {
    const limits = new RunLimits(this.#options);
    this.#intake = new Intake({
      connection: this.#dependencies.connection,
      options: this.#options,
      running: this.#running,
      outage: new Outage(this.#log, this.#options.maxConnectionFailures),
      limits,
      signal: this.#looking.signal,
      connected: () => void this.#tellPaused(),
      take: (answer, reservedAt) => {
        limits.take();
        this.#take(answer, reservedAt);
      },
      giveBack: (job, reservedAt) => this.#return(job, reservedAt),
    });
    const result = await this.#intake.run();
    this.#looking.abort();
    // Handlers that ignored their time limit may ignore the end of the worker too.
    if (this.#running.abandoned > 0) this.#boundDrain();
    await this.#running.idle();
    return this.#defect ?? result;
  }

  /** A queue that somebody paused looks like one without work. Asked once: a sweep must not pay for it. */
  async #tellPaused(): Promise<void> {
    const { connection } = this.#dependencies;
    try {
      const queues = await pausedAmong(connection, this.#options.queues);
      if (queues.length > 0 && !this.#ended) this.#log.worker('log', 'worker.queues-paused', { queues });
    } catch {
      // Only a remark: trouble with the server is told by the look for work.
    }
  }

  /** Starts what a reserve answered. A defect stops the worker, after everything else of the batch has run. */
  #take(answer: ReserveAnswer, reservedAt: number): void {
    if (answer instanceof QueuedJob) {
      this.#serve(this.#hold(answer, reservedAt)).catch((error: unknown) => {
        this.#stopBy(SETTLEMENT_FAILED, error);
      });
    } else if (answer instanceof DecodingDefectException) {
      this.#stopBy('the decoder failed', answer);
    } else {
      this.#running.track(this.#tellMalformed(answer));
    }
  }

  #hold(job: QueuedJob, reservedAt: number): RunningDelivery {
    const delivery = this.#runner.hold(job, reservedAt);
    this.#running.add(delivery);
    this.#watch.watch(delivery);
    return delivery;
  }

  async #serve(delivery: RunningDelivery): Promise<void> {
    try {
      // Reserved while a forced stop was under way: it is not begun any more.
      if (this.#forced === null) return await this.#runner.run(delivery);
      delivery.stop(forcedToStop());
      await this.#runner.giveBack(delivery);
    } finally {
      this.#running.remove(delivery);
    }
  }

  /** It was not begun: back to its queue, with its attempt unspent. */
  #return(job: QueuedJob, reservedAt: number): void {
    const delivery = this.#runner.hold(job, reservedAt);
    delivery.stop(new Error('The worker ended before the job began.'));
    const returning = this.#runner.giveBack(delivery);
    const returned = returning.catch((error: unknown) => this.#stopBy(NOT_GIVEN_BACK, error));
    this.#running.track(returned.finally(() => delivery.unfollow()));
  }

  /** A slot is held by a handler that ignores that its time is over. Without a free one the worker is of no use. */
  #abandoned(defect: { readonly error: unknown } | null): void {
    if (defect !== null) this.#stopBy(SETTLEMENT_FAILED, defect.error);
    if (this.#running.abandoned >= this.#options.concurrency) {
      this.#looking.abort();
      const reason =
        'handlers that ignore that their time is over hold all its slots: start it again, and pass the signal of the ' +
        'delivery on to what those jobs wait for';
      void this.#release(() => this.#running.errandsEnded()).then(() => {
        this.#endForced(this.#defect ?? { exitCode: 1, reason });
      });
    } else if (this.stopping) {
      this.#boundDrain();
    }
  }

  #stopBy(reason: string, error: unknown): void {
    const misconfigured = isMisconfiguration(error);
    this.#defect ??= {
      exitCode: misconfigured ? 64 : 70,
      reason: misconfigured ? error.message : reason,
      error,
    };
    this.#log.worker('error', 'worker.defect', { reason, ...errorFields(error) });
    this.#looking.abort();
  }

  async #tellMalformed(error: MalformedJobSettledException): Promise<void> {
    const { queue, disposition, message } = error;
    const level = disposition === 'unsettled' ? 'error' : 'warn';
    this.#log.worker(level, 'job.malformed', { queue, disposition, error: message });
    this.#telemetry.malformed(error);
    if (!this.#teller.wants(JobMalformed)) return;
    const { connection } = this.#dependencies;
    await this.#teller.tell(new JobMalformed(queue, connection.name, this.#options.name, error), null, null);
  }

  async #force(): Promise<void> {
    this.#looking.abort();
    const reason = forcedToStop();
    for (const delivery of this.#running.all()) delivery.stop(reason);
    await this.#release(() => this.#running.idle());
    const left = this.#running.all();
    if (left.length > 0) await settledWithin(this.#giveBack(left), FORCED_STOP_STEP_MS);
    this.#endForced(this.#defect ?? { exitCode: 1, reason: forcedReason(left.length) });
  }

  /** Returns what was not begun, then waits for `others`; for one step of a forced stop at most. */
  async #release(others: () => Promise<void>): Promise<void> {
    const released = this.#intake?.release() ?? Promise.resolve();
    await settledWithin(released.then(others), FORCED_STOP_STEP_MS);
  }

  async #giveBack(deliveries: readonly RunningDelivery[]): Promise<void> {
    const results = await Promise.allSettled(deliveries.map((delivery) => this.#runner.giveBack(delivery)));
    for (const result of results) {
      if (result.status === 'rejected') this.#stopBy(NOT_GIVEN_BACK, result.reason);
    }
  }
}

/** `deaf`: how many handlers still ran a second after their signals were aborted. */
function forcedReason(deaf: number): string {
  const reason = 'it was forced to stop';
  return deaf === 0 ? reason : `${reason}; ${deaf} of its handlers did not end when its signal told it to`;
}

function forcedToStop(): Error {
  return new Error('The worker was forced to stop.');
}

import {
  JobDeferred,
  type JobEventFields,
  JobFailedPermanently,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobStarted,
  JobSucceeded,
  type AnyJobEvent,
} from '../events/index.js';
import { type JobDefinition, redactArguments, secretsOf } from '../jobs/index.js';
import type { EventTeller } from './event-teller.js';
import type { RunningDelivery } from './running-delivery.js';
import type { Settled } from './settlement-sender.js';
import { jobErrorOf, settleOperationOf, type Transition } from './transition.js';
import { errorFields, type WorkerLog } from './worker-log.js';

/** Says what became of a delivery: a log line, then the event. */
export class DeliveryReporter {
  readonly #log: WorkerLog;
  readonly #teller: EventTeller;
  readonly #connection: string;
  readonly #worker: string;

  constructor(log: WorkerLog, teller: EventTeller, connection: string, worker: string) {
    this.#log = log;
    this.#teller = teller;
    this.#connection = connection;
    this.#worker = worker;
  }

  /**
   * The last line that a job leaves which ends its process, and the first of the one that is delivered after that.
   * `attemptsLeft`: not null when its earlier deliveries certainly ended without a settlement.
   */
  begins({ job, maxAttempts }: RunningDelivery, attemptsLeft: number | null): void {
    if (attemptsLeft !== null) {
      this.#log.job('warn', 'job.reclaimed', job, null, {
        maxAttempts,
        attemptsLeft: Number.isFinite(attemptsLeft) ? attemptsLeft : null,
        advice:
          'earlier deliveries ended without a settlement: look for workers that died, or lost the server',
      });
    }
    this.#log.job('debug', 'job.started', job, null);
  }

  async started(delivery: RunningDelivery): Promise<void> {
    await this.#tell(delivery, new JobStarted(this.#fields(delivery)));
  }

  /** Before the transition. Arguments are shown, redacted, only when the job is given up on: else the backend has them. */
  thrown(delivery: RunningDelivery, transition: Transition, definition: JobDefinition | null): void {
    const { operation } = transition;
    if (operation === 'ack' || operation === 'defer' || operation === 'give-back') return;
    const { job, durationMs } = delivery;
    const thrown = errorFields(transition.error, secretsOf(definition, job.args));
    if (transition.operation === 'fail') {
      const { cause } = transition;
      const args = redactArguments(definition, job.args);
      this.#log.job('error', 'job.failed', job, durationMs, { cause, ...thrown, args });
    } else if (transition.operation === 'release') {
      const { delaySeconds } = transition;
      this.#log.job('warn', 'job.threw', job, durationMs, { delaySeconds, ...thrown });
    } else if (transition.operation === 'postpone') {
      const { delaySeconds, graceRounds } = transition;
      const { error } = thrown;
      this.#log.job('warn', 'job.not-rebuilt', job, durationMs, { delaySeconds, graceRounds, error });
    }
  }

  /** After the transition. What it answers resolves when every listener has ended; undefined: nobody listens. */
  report(
    delivery: RunningDelivery,
    transition: Transition,
    settled: Settled,
    definition: JobDefinition | null,
  ): Promise<void> | undefined {
    if (settled.status === 'applied') return this.#applied(delivery, transition, definition);
    if (settled.status === 'stale') return this.#lost(delivery, transition, settled);
    return this.#unknown(delivery, transition, settled);
  }

  #applied(
    delivery: RunningDelivery,
    transition: Transition,
    definition: JobDefinition | null,
  ): Promise<void> | undefined {
    const { job, durationMs } = delivery;
    switch (transition.operation) {
      case 'ack':
        this.#log.job('log', 'job.succeeded', job, durationMs);
        if (!this.#teller.wants(JobSucceeded)) return undefined;
        return this.#tell(delivery, new JobSucceeded(this.#fields(delivery), durationMs));
      case 'fail': {
        if (!this.#teller.wants(JobFailedPermanently)) return undefined;
        const { error, cause } = transition;
        const args = redactArguments(definition, job.args);
        const fields = this.#fields(delivery);
        return this.#tell(delivery, new JobFailedPermanently(fields, error, cause, args, durationMs));
      }
      case 'release': {
        const { error, delaySeconds } = transition;
        this.#log.job('debug', 'job.released', job, durationMs, { delaySeconds });
        if (!this.#teller.wants(JobReleased)) return undefined;
        return this.#tell(delivery, new JobReleased(this.#fields(delivery), error, delaySeconds, durationMs));
      }
      default: {
        const delaySeconds = transition.operation === 'give-back' ? 0 : transition.delaySeconds;
        const event = transition.operation === 'give-back' ? 'job.given-back' : 'job.deferred';
        const { error } = errorFields(transition.error, secretsOf(definition, job.args));
        this.#log.job('log', event, job, durationMs, { delaySeconds, error });
        if (!this.#teller.wants(JobDeferred)) return undefined;
        return this.#tell(delivery, new JobDeferred(this.#fields(delivery), transition.error, delaySeconds));
      }
    }
  }

  #lost(
    delivery: RunningDelivery,
    transition: Transition,
    { stale }: Settled & { status: 'stale' },
  ): Promise<void> | undefined {
    const operation = settleOperationOf(transition);
    const { job, durationMs } = delivery;
    this.#log.job('warn', 'job.settlement-lost', job, durationMs, { operation, error: stale.message });
    if (!this.#teller.wants(JobSettlementLost)) return undefined;
    const fields = this.#fields(delivery);
    return this.#tell(delivery, new JobSettlementLost(fields, operation, stale, jobErrorOf(transition)));
  }

  #unknown(
    delivery: RunningDelivery,
    transition: Transition,
    { failure }: Settled & { status: 'unknown' },
  ): Promise<void> | undefined {
    const operation = settleOperationOf(transition);
    const { job, durationMs } = delivery;
    this.#log.job('error', 'job.settlement-unknown', job, durationMs, { operation, ...errorFields(failure) });
    if (!this.#teller.wants(JobSettlementUnknown)) return undefined;
    const fields = this.#fields(delivery);
    return this.#tell(delivery, new JobSettlementUnknown(fields, operation, failure, jobErrorOf(transition)));
  }

  #tell(delivery: RunningDelivery, event: AnyJobEvent): Promise<void> {
    return this.#teller.tell(event, delivery.scope, delivery.job);
  }

  #fields({ job }: RunningDelivery): JobEventFields {
    return {
      id: job.id,
      class: job.class,
      queue: job.queue,
      connection: this.#connection,
      attempts: job.attempts,
      worker: this.#worker,
    };
  }
}

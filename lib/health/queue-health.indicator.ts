import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { QueueCounts } from '../contract/index.js';
import { InAppWorker } from '../module/worker/in-app-worker.js';
import { ConnectionDirectory, DEFAULT_CONNECTION, type QueueConnection } from '../queue/index.js';
import { checkBacklogOptions, checkTimeoutMs } from './check-health-options.js';
import { describeTrouble } from './describe-trouble.js';
import type { BacklogCheckOptions, ConnectionCheckOptions } from './queue-health-options.js';
import { within } from './within.js';

const DEFAULT_TIMEOUT_MS = 1_000;
/** Whose size is asked for where only the answer matters, not the number. */
const ANY_QUEUE = 'default';
const NO_WORKER =
  'No worker runs inside this application. Give `worker` to KinetisQueueModule, or ask the health port of the worker ' +
  'process instead.';
const PAUSED = ' The queue is paused: resume it with QueueAdmin.';

/**
 * Health of queues for `@nestjs/terminus`. A backend that cannot be reached, or is slow, is down and never an
 * exception; an unknown connection or an option of the wrong form is a mistake in code and throws
 * `InvalidQueueArgumentException`.
 *
 * @publicApi
 */
@Injectable()
export class QueueHealthIndicator {
  readonly #moduleRef: ModuleRef;
  readonly #indicators: HealthIndicatorService;

  // Tokens are named, so that the class works where no decorator metadata is emitted.
  constructor(
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(HealthIndicatorService) indicators: HealthIndicatorService,
  ) {
    this.#moduleRef = moduleRef;
    this.#indicators = indicators;
  }

  /** Up when the backend of the connection answers. For readiness: without it a push would be refused. */
  async connectionCheck<const Key extends string>(
    key: Key,
    options: ConnectionCheckOptions = {},
  ): Promise<HealthIndicatorResult<Key>> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    checkTimeoutMs(timeoutMs, 'connectionCheck()');
    const connection = this.#connection(options);
    const session = this.#indicators.check(key);
    const about = { connection: connection.name };
    try {
      await within(timeoutMs, () => connection.size(ANY_QUEUE));
      return session.up(about);
    } catch (error) {
      return session.down({ ...about, ...describeTrouble(error) });
    }
  }

  /**
   * Down when more jobs of a queue wait for a worker than `maxWaiting`, or one has waited longer than
   * `maxOldestSeconds`. The answer holds the numbers. For alarms, not for readiness: taking a web server out of service
   * shortens no queue.
   */
  async backlogCheck<const Key extends string>(
    key: Key,
    options: BacklogCheckOptions,
  ): Promise<HealthIndicatorResult<Key>> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    checkTimeoutMs(timeoutMs, 'backlogCheck()');
    checkBacklogOptions(options, 'backlogCheck()');
    const connection = this.#connection(options);
    const session = this.#indicators.check(key);
    const about = { connection: connection.name, queue: options.queue };
    try {
      const counts = await within(timeoutMs, () => connection.counts(options.queue));
      const numbers = { ...about, ...numbersOf(counts), ...limitsOf(options) };
      const message = tooFarBehind(counts, options);
      if (message === null) return session.up(numbers);
      return session.down({ ...numbers, message: counts.paused ? `${message}${PAUSED}` : message });
    } catch (error) {
      return session.down({ ...about, ...describeTrouble(error) });
    }
  }

  /**
   * Down when the worker inside this application has ended by itself: it never ends the process, so nothing else tells.
   * For liveness: only a restart brings it back. Down too where there is none; the message says so.
   */
  workerCheck<const Key extends string>(key: Key): HealthIndicatorResult<Key> {
    const worker = this.#moduleRef.get(InAppWorker, { strict: false });
    const session = this.#indicators.check(key);
    if (worker.running) return session.up();
    if (worker.result === null) return session.down({ message: NO_WORKER });
    const { exitCode } = worker.result;
    return session.down({ exitCode, message: 'The worker has stopped; the logs say why.' });
  }

  #connection({ connection = DEFAULT_CONNECTION }: ConnectionCheckOptions): QueueConnection {
    return this.#moduleRef.get(ConnectionDirectory, { strict: false }).get(connection);
  }
}

function numbersOf(counts: QueueCounts) {
  const { ready, delayed, reserved, failed, oldestReadySeconds, paused } = counts;
  return { waiting: ready, delayed, reserved, failed, oldestSeconds: oldestReadySeconds, paused };
}

function limitsOf({ maxWaiting, maxOldestSeconds }: BacklogCheckOptions) {
  return {
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
    ...(maxOldestSeconds === undefined ? {} : { maxOldestSeconds }),
  };
}

/** In words, or null. An age that the backend cannot tell is not taken for a young one. */
function tooFarBehind(counts: QueueCounts, options: BacklogCheckOptions): string | null {
  const { maxWaiting = Infinity, maxOldestSeconds } = options;
  if (counts.ready > maxWaiting) return `More than ${maxWaiting} jobs are waiting.`;
  if (maxOldestSeconds === undefined || counts.ready === 0) return null;
  if (counts.oldestReadySeconds === null) {
    return 'Jobs are waiting and the backend cannot tell for how long: use maxWaiting instead of maxOldestSeconds.';
  }
  if (counts.oldestReadySeconds <= maxOldestSeconds) return null;
  return `A job has been waiting for more than ${maxOldestSeconds} s.`;
}

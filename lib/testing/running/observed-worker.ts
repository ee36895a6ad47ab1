import { Logger } from '@nestjs/common';
import type { QueueApplication } from '../../module/queue-application.js';
import { planWorker } from '../../module/worker/worker-plan.js';
import type { QueueConnection } from '../../queue/index.js';
import { QueueWorker } from '../../worker/index.js';
import type { JobOutcome } from './job-outcome.js';
import { OutcomeWatch } from './outcome-watch.js';

/** Never waited for: only queues that hold ready jobs are looked at. */
const LOOK_SECONDS = 1;

/** A worker of the application that takes one delivery at a time and says what became of it. */
export class ObservedWorker {
  readonly #worker: QueueWorker;
  readonly #watch = new OutcomeWatch();

  /** `maxAttempts`: the cap of jobs that name none, undefined for a worker's own default. */
  constructor(application: QueueApplication, connection: QueueConnection, maxAttempts?: number) {
    const { registry, scopes, listeners, middleware } = application.jobs;
    const { options } = planWorker(application, {
      connection: connection.name,
      queues: ['default'],
      name: 'test',
      // There is no other code that could know a job which this code cannot rebuild.
      schemaGraceSeconds: 0,
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    });
    this.#worker = new QueueWorker(
      {
        connection,
        registry,
        scopes: this.#watch.within(scopes),
        listeners: [this.#watch.listener, ...listeners],
        middleware,
        telemetry: application.settings.telemetry ?? null,
        logger: new Logger('QueueWorker'),
      },
      options,
    );
  }

  /** Runs the next job of a queue; null where there is none. */
  async next(queue: string): Promise<JobOutcome | null> {
    return (await this.#worker.processNext(LOOK_SECONDS, [queue])) ? this.#watch.outcome() : null;
  }
}

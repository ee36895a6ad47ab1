import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { QueueConfigurationException } from '../../contract/index.js';
import type { QueueConnection } from '../../queue/index.js';
import { type QueueWorker, WorkerHealthServer, type WorkerResult } from '../../worker/index.js';
import { inspectEnvironment } from '../configuration/inspect-environment.js';
import type { Environment } from '../configuration/variables.js';
import type { GivenWorkerOptions } from '../configuration/worker-options.js';
import { environmentNames } from '../environment-connections.js';
import { QueueApplication } from '../queue-application.js';
import { buildWorker } from './build-worker.js';
import { defaultLogger } from './default-logger.js';
import { exitCodeOf } from './exit-code-of.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import { onStopSignals } from './stop-signals.js';
import { WorkerDrain } from './worker-drain.js';
import { connectionOf, planWorker, workerNameOf } from './worker-plan.js';
import { type ApplicationModule, WorkerRootModule } from './worker-root.module.js';

/** The loop counts as live when it turned within a lease; where there are none, within this. */
const LIVE_WITHIN_SECONDS = 90;
/** From the second signal to the end, whatever hangs; below the 4 s that are promised. */
const FORCED_END_MS = 3_500;
/** How long providers may take to be destroyed after a forced stop. */
const FORCED_CLOSE_MS = 1_000;

/** One run of `runWorker`, from the application's creation to its close. Resolves with the exit code. */
export class WorkerProcess {
  readonly #logger = new Logger('QueueWorker');
  /** In every line, also in those before the worker exists. */
  readonly #about: { readonly connection: string; readonly worker: string };
  #worker: QueueWorker | null = null;
  #drain: WorkerDrain | null = null;
  #stopped = false;
  #forced = false;
  #endNow: (code: number) => void = () => undefined;

  constructor(
    private readonly module: ApplicationModule,
    private readonly options: RunWorkerOptions,
    private readonly given: GivenWorkerOptions,
    private readonly environment: Environment,
  ) {
    this.#about = { connection: connectionOf(given), worker: workerNameOf(given) };
  }

  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => (this.#endNow = resolve));
    const stopListening = onStopSignals({
      stop: (signal) => this.#stop(signal),
      force: (signal) => this.#force(signal),
    });
    try {
      return await Promise.race([this.#serve(), ended]);
    } finally {
      stopListening();
    }
  }

  async #serve(): Promise<number> {
    let app: INestApplicationContext | null = null;
    try {
      app = await this.#createApplication();
      const drain = app.get(WorkerDrain, { strict: false });
      this.#drain = drain;
      await this.options.configure?.(app);
      this.#flushLogs();
      const result = await this.#work(app, drain);
      await this.#close(app, drain);
      return result.exitCode;
    } catch (error) {
      const exitCode = exitCodeOf(error);
      this.#flushLogs();
      this.#logger.error({ event: 'worker.not-started', ...this.#about, exitCode, error: textOf(error) });
      if (app !== null) await this.#close(app, this.#drain);
      return exitCode;
    }
  }

  /** A standalone application keeps buffered lines back for good where `configure` gave it no logger. */
  #flushLogs(): void {
    if (this.options.bufferLogs === true) Logger.flush();
  }

  async #createApplication(): Promise<INestApplicationContext> {
    const { logger = defaultLogger(), bufferLogs = false } = this.options;
    // Before Nest's own first line, and to the same place.
    Logger.overrideLogger(logger);
    if (bufferLogs) Logger.attachBuffer();
    const { used } = inspectEnvironment(this.environment, environmentNames(this.environment));
    this.#logger.log({ event: 'worker.environment', ...this.#about, variables: used });
    return NestFactory.createApplicationContext(WorkerRootModule.around(this.module), {
      logger,
      bufferLogs,
      abortOnError: false,
    });
  }

  async #work(app: INestApplicationContext, drain: WorkerDrain): Promise<WorkerResult> {
    const application = queueApplicationOf(app);
    const plan = planWorker(application, this.given);
    plan.connection.assertDelivers();
    this.#warnOfUnserved(application, plan.connection);
    const worker = buildWorker(application, plan, this.#logger);
    const health = await this.#listen(worker, plan.connection.backend.leaseSeconds ?? LIVE_WITHIN_SECONDS);
    try {
      this.#worker = worker;
      const running = worker.run();
      drain.before(() => {
        worker.stop();
        return running;
      });
      if (this.#stopped) worker.stop();
      return await running;
    } finally {
      await health?.close();
    }
  }

  /** What is kept in this process is seen by no other, and this one serves a single connection. */
  #warnOfUnserved(application: QueueApplication, served: QueueConnection): void {
    for (const { name, backend } of application.connections.all()) {
      const { delivers, durable } = backend.capabilities;
      if (name === served.name || !delivers || durable) continue;
      this.#logger.warn({
        event: 'worker.unserved-connection',
        connection: name,
        worker: this.#about.worker,
        advice:
          'it keeps its jobs in this process, where no worker serves it: what is pushed to it here never runs',
      });
    }
  }

  async #listen(worker: QueueWorker, leaseSeconds: number): Promise<WorkerHealthServer | null> {
    const { healthPort } = this.given;
    if (healthPort === undefined) return null;
    const server = new WorkerHealthServer(worker, { port: healthPort, leaseSeconds });
    try {
      this.#logger.log({ event: 'worker.health', ...this.#about, port: await server.listen() });
    } catch (error) {
      throw new QueueConfigurationException(
        `--health-port: expected a port that is free, came ${healthPort}: ${textOf(error)}`,
        { cause: error },
      );
    }
    return server;
  }

  /** Where shutdown hooks of the application's own have begun to close it, only their end is waited for. */
  async #close(app: INestApplicationContext, drain: WorkerDrain | null): Promise<void> {
    // Hooks that got the same signal come to the root module within one turn.
    await new Promise((resolve) => setImmediate(resolve));
    const closing = drain?.begun === true ? drain.closed : app.close();
    const logged = closing.catch((error: unknown) => {
      this.#logger.error({ event: 'worker.close-failed', ...this.#about, error: textOf(error) });
    });
    const longest = this.#forced ? AbortSignal.timeout(FORCED_CLOSE_MS) : null;
    await (longest === null
      ? logged
      : Promise.race([logged, new Promise((resolve) => longest.addEventListener('abort', resolve))]));
  }

  #stop(signal: NodeJS.Signals): void {
    this.#stopped = true;
    this.#logger.log({ event: 'worker.stopping', ...this.#about, signal });
    this.#worker?.stop();
  }

  #force(signal: NodeJS.Signals): void {
    // Nest's own shutdown hooks send the signal once more when they are done.
    if (this.#forced || this.#drain?.isClosed === true) return;
    this.#forced = true;
    this.#logger.warn({ event: 'worker.forced', ...this.#about, signal });
    setTimeout(() => this.#endNow(1), FORCED_END_MS).unref();
    if (this.#worker === null || this.#drain?.begun === true) this.#endNow(1);
    else void this.#worker.forceStop();
  }
}

function queueApplicationOf(app: INestApplicationContext): QueueApplication {
  try {
    return app.get(QueueApplication, { strict: false });
  } catch (error) {
    throw new QueueConfigurationException(
      'runWorker: expected a module that imports KinetisQueueModule.forRoot() or forRootAsync(), came one without.',
      { cause: error },
    );
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

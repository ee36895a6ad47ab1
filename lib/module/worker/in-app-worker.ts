import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import type { QueueWorker, WorkerResult } from '../../worker/index.js';
import { QueueApplication } from '../queue-application.js';
import { buildWorker } from './build-worker.js';
import { checkInAppOptions } from './check-in-app-options.js';
import { planWorker, type WorkerPlan } from './worker-plan.js';
import { WorkerRootModule } from './worker-root.module.js';

/**
 * Runs the worker that `worker` of the module's options asks for. It never ends the process: a worker that cannot go on
 * says so in the log and in its `result`.
 */
@Injectable()
export class InAppWorker implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #moduleRef: ModuleRef;
  readonly #logger = new Logger('QueueWorker');
  #worker: QueueWorker | null = null;
  #running: Promise<void> | null = null;
  #result: WorkerResult | null = null;

  constructor(@Inject(ModuleRef) moduleRef: ModuleRef) {
    this.#moduleRef = moduleRef;
  }

  /** True from the start of the worker until it ended for whatever reason. */
  get running(): boolean {
    return this.#worker !== null && this.#result === null;
  }

  /** How the worker ended; null while it runs, and where there is none. */
  get result(): WorkerResult | null {
    return this.#result;
  }

  onApplicationBootstrap(): void {
    const application = this.#moduleRef.get(QueueApplication, { strict: false });
    const options = application.settings.worker;
    if (options === undefined) return;
    if (this.#isWorkerProcess()) {
      this.#logger.debug(
        'The worker inside the application is not started: this process is a worker already.',
      );
      return;
    }
    const plan = planWorker(application, checkInAppOptions(options, process.env));
    if (!plan.connection.backend.capabilities.delivers) {
      this.#logger.warn(
        `No worker is started: the connection "${plan.connection.name}" runs each job inside its push.`,
      );
      return;
    }
    this.#worker = buildWorker(application, plan, this.#logger);
    this.#running = this.#watch(this.#worker, plan);
  }

  async onModuleDestroy(): Promise<void> {
    this.#worker?.stop();
    await this.#running;
  }

  async #watch(worker: QueueWorker, { connection, options }: WorkerPlan): Promise<void> {
    try {
      this.#result = await worker.run();
    } catch (error) {
      // Its options were checked at boot: what is refused now is a defect, and no reason to end the application.
      const reason = error instanceof Error ? error.message : String(error);
      this.#result = { exitCode: 70, reason, error };
      const about = { connection: connection.name, worker: options.name };
      this.#logger.error({ event: 'worker.not-started', ...about, exitCode: 70, error: reason });
    }
  }

  #isWorkerProcess(): boolean {
    const modules = this.#moduleRef.get(ModulesContainer, { strict: false });
    return [...modules.values()].some(({ metatype }) => metatype === WorkerRootModule);
  }
}

import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { WorkerDrain } from './worker-drain.js';

/** What `runWorker` takes: a module class, or a dynamic module. */
export type ApplicationModule = NonNullable<DynamicModule['imports']>[number];

/** Farther than global modules, which are at the largest number: its shutdown hook is the last of all. */
@Module({})
export class WorkerLastModule implements OnApplicationShutdown {
  readonly #drain: WorkerDrain;

  constructor(@Inject(ModuleRef) moduleRef: ModuleRef, @Inject(WorkerDrain) drain: WorkerDrain) {
    this.#drain = drain;
    for (const each of moduleRef.get(ModulesContainer, { strict: false }).values()) {
      if (each.metatype === WorkerLastModule) each.distance = Infinity;
    }
  }

  onApplicationShutdown(): void {
    this.#drain.markClosed();
  }
}

/**
 * The root of a worker process. It wraps the application's module, so that it is destroyed first: whatever closes the
 * application, the worker has drained by then.
 */
@Module({})
export class WorkerRootModule implements OnModuleDestroy {
  readonly #drain: WorkerDrain;

  constructor(@Inject(WorkerDrain) drain: WorkerDrain) {
    this.#drain = drain;
  }

  static around(application: ApplicationModule): DynamicModule {
    const last: DynamicModule = {
      module: WorkerLastModule,
      providers: [WorkerDrain],
      exports: [WorkerDrain],
    };
    return { module: WorkerRootModule, imports: [application, last] };
  }

  async onModuleDestroy(): Promise<void> {
    await this.#drain.run();
  }
}

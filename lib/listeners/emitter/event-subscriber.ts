import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { QueueApplication } from '../../module/queue-application.js';
import { WorkerRootModule } from '../../module/worker/worker-root.module.js';
import { discoverQueuedListeners } from '../discover-queued-listeners.js';
import type { QueuedListener } from '../queued-listener.js';
import { callsListener, type DispatchEvent, pushesEvents } from './dispatch-event.js';

/**
 * Subscribes every queued listener to the application's EventEmitter2: one job, or one call, for each event. It is there
 * from `onModuleInit` on, so that what other providers emit from their own hooks is heard.
 */
@Injectable()
export class EventSubscriber implements OnModuleInit, OnModuleDestroy {
  readonly #moduleRef: ModuleRef;
  readonly #modules: ModulesContainer;
  readonly #logger = new Logger('QueuedListeners');
  readonly #dispatches = new Set<Promise<unknown>>();

  // Tokens are named, so that the class works where no decorator metadata is emitted.
  constructor(@Inject(ModuleRef) moduleRef: ModuleRef, @Inject(ModulesContainer) modules: ModulesContainer) {
    this.#moduleRef = moduleRef;
    this.#modules = modules;
  }

  onModuleInit(): void {
    const application = this.#find(QueueApplication);
    const listeners = application?.jobs.queuedListeners ?? discoverQueuedListeners(this.#modules).listeners;
    if (listeners.length === 0) return;
    const emitter = this.#find(EventEmitter2);
    if (emitter === null) return this.#remarkOnNoEmitter();
    const inline = listeners.filter(({ definition }) => definition !== null);
    if (application === null && inline.length > 0) {
      const ids = inline.map(({ id }) => id).join(', ');
      this.#logger.log(`There is no KinetisQueueModule here: queued listeners run inside emit(): ${ids}.`);
    }
    for (const listener of listeners) {
      const isInline = application === null || listener.definition === null;
      const dispatch = isInline
        ? callsListener(listener, this.#moduleRef)
        : pushesEvents(listener, this.#moduleRef);
      this.#subscribe(emitter, listener, dispatch);
    }
  }

  /** Waits for what `emit()` has begun and nobody else waits for. This module is global, and destroyed after all others. */
  async onModuleDestroy(): Promise<void> {
    while (this.#dispatches.size > 0) await Promise.allSettled(this.#dispatches);
  }

  #subscribe(emitter: EventEmitter2, listener: QueuedListener, dispatch: DispatchEvent): void {
    const heard = (...values: unknown[]): Promise<unknown> => {
      // The emitter keeps it until the next event: read before anything else runs.
      const name: unknown = Reflect.get(emitter, 'event');
      const dispatching = dispatch(name as string, values);
      this.#dispatches.add(dispatching);
      // `emit()` drops the promise: without this a failure would end the process.
      dispatching.then(
        () => this.#dispatches.delete(dispatching),
        (error: unknown) => {
          this.#dispatches.delete(dispatching);
          this.#report(listener, error);
        },
      );
      return dispatching;
    };
    emitter.on(listener.event as string | string[], heard);
  }

  #report({ id, definition }: QueuedListener, error: unknown): void {
    const what =
      definition === null ? 'failed' : 'was not told of an event, or it is not known whether it was';
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.error(`Listener ${id} ${what}. ${reason}`, error instanceof Error ? error.stack : undefined);
  }

  /** A worker runs the jobs of others, and may be without. */
  #remarkOnNoEmitter(): void {
    const isWorker = [...this.#modules.values()].some(({ metatype }) => metatype === WorkerRootModule);
    const message =
      'There is no EventEmitter2 here: no event of this process reaches its queued listeners. Import ' +
      'EventEmitterModule.forRoot() where events are emitted.';
    if (isWorker) this.#logger.debug(message);
    else this.#logger.warn(message);
  }

  #find<T>(token: abstract new (...args: never[]) => T): T | null {
    const isProvided = [...this.#modules.values()].some(({ providers }) => providers.has(token));
    return isProvided ? this.#moduleRef.get<T>(token as never, { strict: false }) : null;
  }
}

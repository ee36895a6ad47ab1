import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { QueueApplication } from '../../module/queue-application.js';
import { WorkerRootModule } from '../../module/worker/worker-root.module.js';
import { discoverQueuedListeners } from '../discover-queued-listeners.js';
import type { QueuedListener } from '../queued-listener.js';
import { callsListener, pushesEvents } from './dispatch-event.js';

/**
 * Subscribes every queued listener to the application's EventEmitter2: one job, or one call, for each event. It is there
 * from `onModuleInit` on, so that what other providers emit from their own hooks is heard.
 */
@Injectable()
export class EventSubscriber implements OnModuleInit, OnModuleDestroy {
  readonly #moduleRef: ModuleRef;
  readonly #modules: ModulesContainer;
  readonly #logger = new Logger('QueuedListeners');
  readonly #pushes = new Set<Promise<unknown>>();

  // Tokens are named, so that the class works where no decorator metadata is emitted.
  constructor(@Inject(ModuleRef) moduleRef: ModuleRef, @Inject(ModulesContainer) modules: ModulesContainer) {
    this.#moduleRef = moduleRef;
    this.#modules = modules;
  }

  onModuleInit(): void {
    const application = this.#find(QueueApplication);
    const listeners = application?.jobs.queuedListeners ?? this.#discover();
    if (listeners.length === 0) return;
    const emitter = this.#find(EventEmitter2);
    if (emitter === null) return this.#remarkOnNoEmitter();
    const queued = listeners.filter(({ definition }) => definition !== null);
    if (application === null && queued.length > 0) {
      const ids = queued.map(({ id }) => id).join(', ');
      this.#logger.log(`There is no KinetisQueueModule here: queued listeners run inside emit(): ${ids}.`);
    }
    for (const listener of listeners) {
      const isInline = application === null || listener.definition === null;
      this.#subscribe(emitter, listener, isInline);
    }
  }

  /**
   * Waits for the pushes that `emit()` has begun and nobody else waits for. This module is global, and destroyed after all
   * others. Nest waits for no listener that runs inside `emit()`, and neither is it waited for here.
   */
  async onModuleDestroy(): Promise<void> {
    while (this.#pushes.size > 0) await Promise.all(this.#pushes);
  }

  #subscribe(emitter: EventEmitter2, listener: QueuedListener, isInline: boolean): void {
    const dispatch = (isInline ? callsListener : pushesEvents)(listener, this.#moduleRef);
    const heard = (...values: unknown[]): Promise<unknown> => {
      // The emitter keeps it until the next event: read before anything else runs.
      const name: unknown = Reflect.get(emitter, 'event');
      const dispatching = dispatch(name as string, values);
      // `emit()` drops the promise: without this a failure would end the process.
      const told = dispatching
        .catch((error: unknown) => this.#report(listener, isInline, name, error))
        // A logger that throws is nobody's business.
        .catch(() => undefined);
      if (!isInline) this.#keepUntil(told);
      return dispatching;
    };
    emitter.on(listener.event as string | string[], heard);
  }

  #keepUntil(pushed: Promise<unknown>): void {
    this.#pushes.add(pushed);
    void pushed.finally(() => this.#pushes.delete(pushed));
  }

  /** Also where `emitAsync()` rejects: that tells of the first of several failures only. */
  #report(listener: QueuedListener, isInline: boolean, name: unknown, error: unknown): void {
    const event = typeof name === 'string' ? `"${name}"` : 'an event';
    const what = isInline
      ? `Listener ${listener.id} failed on`
      : `Listener ${listener.id}: its push failed for`;
    const reason = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    this.#logger.error(`${what} ${event}. ${reason}`, stack);
  }

  /** Where there is no KinetisQueueModule to do it. */
  #discover(): readonly QueuedListener[] {
    const { listeners, warnings } = discoverQueuedListeners(this.#modules);
    for (const warning of warnings) this.#logger.warn(warning);
    return listeners;
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

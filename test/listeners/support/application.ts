import { type LoggerService, Module, type Provider } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { KinetisQueueListenersModule } from '../../../lib/event-emitter.js';
import {
  type BackendFactory,
  KinetisQueueModule,
  memory,
  Queue,
  type QueueModuleOptions,
} from '../../../lib/index.js';
import { Journal } from '../../module/support/jobs.js';

/** Keeps every line, so that a test can say what was told. */
export class KeptLog implements LoggerService {
  readonly lines: string[] = [];
  log = (...words: unknown[]): void => this.#keep('log', words);
  error = (...words: unknown[]): void => this.#keep('error', words);
  warn = (...words: unknown[]): void => this.#keep('warn', words);
  debug = (...words: unknown[]): void => this.#keep('debug', words);
  verbose = (): void => undefined;

  #keep(level: string, [message]: unknown[]): void {
    this.lines.push(`${level}: ${typeof message === 'string' ? message : JSON.stringify(message)}`);
  }
}

export interface ApplicationUnderTest {
  readonly app: INestApplicationContext;
  readonly emitter: EventEmitter2;
  readonly journal: Journal;
  readonly queue: Queue;
  readonly log: KeptLog;
}

export interface Under {
  readonly connections?: { readonly default: BackendFactory; readonly [name: string]: BackendFactory };
  /** A worker inside the application; true without it. */
  readonly worker?: boolean | QueueModuleOptions['worker'];
  readonly wildcard?: boolean;
  readonly imports?: readonly (new () => object)[];
}

/** A started application with an emitter, queues and these providers. */
export async function start(
  providers: readonly Provider[],
  { connections = { default: memory() }, worker = true, wildcard = false, imports = [] }: Under = {},
): Promise<ApplicationUnderTest> {
  const inApp = worker === true ? {} : worker;
  @Module({
    imports: [
      EventEmitterModule.forRoot({ wildcard }),
      KinetisQueueModule.forRoot(inApp === false ? { connections } : { connections, worker: inApp }),
      KinetisQueueListenersModule,
      ...imports,
    ],
    providers: [Journal, ...providers],
    exports: [Journal],
  })
  class AppModule {}
  return open(AppModule);
}

/** A started application of one's own. */
export async function open(module: new () => object): Promise<ApplicationUnderTest> {
  const log = new KeptLog();
  const app = await NestFactory.createApplicationContext(module, { logger: log, abortOnError: false });
  const found = <T>(token: abstract new (...args: never[]) => T): T =>
    app.get<T>(token as never, { strict: false });
  return {
    app,
    log,
    journal: found(Journal),
    get emitter() {
      return found(EventEmitter2);
    },
    get queue() {
      return found(Queue);
    },
  };
}

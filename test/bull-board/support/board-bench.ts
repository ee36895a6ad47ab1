import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBullBoard } from '@bull-board/api';
import { ExpressAdapter } from '@bull-board/express';
import { type INestApplicationContext, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { onTestFinished } from 'vitest';
import { type BullBoardOptions, bullBoardQueues } from '../../../lib/bull-board.js';
import { type BackendFactory, KinetisQueueModule, type QueueModuleOptions } from '../../../lib/index.js';

export interface ShownJob {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly opts: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly failedReason: string;
  readonly stacktrace: readonly string[];
  readonly isFailed: boolean;
}

export interface ShownQueue {
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly statuses: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly ShownJob[];
  readonly readOnlyMode: boolean;
  readonly allowRetries: boolean;
  readonly isPaused: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** What a person is shown of an error. */
  readonly message: string;
}

/** A board over an application, as a browser talks to it. Bull Board checks each answer against its own schemas. */
export class BoardBench {
  readonly app: INestApplicationContext;
  readonly #address: string;

  private constructor(app: INestApplicationContext, address: string) {
    this.app = app;
    this.#address = address;
  }

  static async open(
    connections: Readonly<Record<string, BackendFactory>> & { readonly default: BackendFactory },
    providers: readonly Provider[],
    options: BullBoardOptions & Pick<QueueModuleOptions, 'worker'> = {},
  ): Promise<BoardBench> {
    const { worker, ...boardOptions } = options;
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections, ...(worker === undefined ? {} : { worker }) })],
      providers: [...providers],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    onTestFinished(() => app.close());
    const serverAdapter = new ExpressAdapter();
    const queues = bullBoardQueues(app, boardOptions);
    createBullBoard({ queues, serverAdapter, options: { validateResponses: true } });
    const server = createServer(serverAdapter.getRouter()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close().closeAllConnections());
    return new BoardBench(app, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async ask(method: 'GET' | 'PUT' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#address}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { message = '' } = (text === '' ? {} : JSON.parse(text)) as { message?: string };
    return { status: response.status, text, message };
  }

  put(path: string): Promise<Answer> {
    return this.ask('PUT', path);
  }

  async queues(query = ''): Promise<readonly ShownQueue[]> {
    const { status, text } = await this.ask('GET', `/queues?${query}`);
    if (status !== 200) throw new Error(`Expected the queues, came ${status}: ${text}`);
    return (JSON.parse(text) as { queues: ShownQueue[] }).queues;
  }

  async queue(name: string, status = 'latest', more = ''): Promise<ShownQueue> {
    const queues = await this.queues(`activeQueue=${name}&status=${status}${more}`);
    const queue = queues.find((each) => each.name === name);
    if (queue === undefined) throw new Error(`Expected a queue "${name}" on the board.`);
    return queue;
  }

  async job(queue: string, id: string): Promise<{ readonly job: ShownJob; readonly status: string }> {
    const { status, text } = await this.ask('GET', `/queues/${queue}/${id}`);
    if (status !== 200) throw new Error(`Expected the job, came ${status}: ${text}`);
    return JSON.parse(text) as { job: ShownJob; status: string };
  }
}

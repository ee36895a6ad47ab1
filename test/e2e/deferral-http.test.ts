import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type BackendFactory,
  DeferJobException,
  Handle,
  Job,
  JobDeferred,
  JobDelivery,
  JobReleased,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  provideJobs,
  Queue,
} from '../../lib/index.js';
import { migrateSqlQueue, sql } from '../../lib/sql.js';
import { deferred, eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/sqlite-queue.js';

const RETRY_AFTER_SECONDS = 2;
const BACKLOG = 100;

/** Answers 429 first, then 500, then 200, and keeps when it was asked. */
class LimitedApi {
  readonly askedAt: number[] = [];
  readonly #server: Server = createServer((_request, response) => {
    this.askedAt.push(performance.now());
    const status = [429, 500][this.askedAt.length - 1] ?? 200;
    if (status === 429) response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
    response.writeHead(status).end();
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** What was begun, in order. */
@Injectable()
class Journal {
  readonly begun: (
    | { readonly job: 'call' | 'gate'; readonly attempts: number; readonly deferrals: number }
    | { readonly job: 'backlog'; readonly priority: number }
  )[] = [];
  readonly deferrals: JobDeferred[] = [];
  readonly releases: JobReleased[] = [];
  readonly gate = deferred();

  @OnJobEvent(JobDeferred)
  onDeferred(event: JobDeferred): void {
    this.deferrals.push(event);
  }

  @OnJobEvent(JobReleased)
  onReleased(event: JobReleased): void {
    this.releases.push(event);
  }
}

@Job({ queue: 'api', maxAttempts: 3 })
class Call {
  constructor(readonly url: string) {}

  @Handle()
  async handle(journal: Journal, delivery: JobDelivery): Promise<void> {
    journal.begun.push({ job: 'call', attempts: delivery.attempts, deferrals: delivery.deferrals });
    const response = await fetch(this.url, { signal: delivery.signal });
    if (response.status === 429) {
      throw new DeferJobException(Number(response.headers.get('retry-after')), 'the limit is reached');
    }
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  }
}

/** Keeps the only slot of the worker until the test opens the gate. */
@Job({ queue: 'api' })
class Gate {
  @Handle()
  async handle(journal: Journal, { attempts, deferrals }: JobDelivery): Promise<void> {
    journal.begun.push({ job: 'gate', attempts, deferrals });
    await journal.gate.promise;
  }
}

@Job({ queue: 'api' })
class Backlog {
  constructor(readonly priority: number) {}

  @Handle()
  handle(journal: Journal): void {
    journal.begun.push({ job: 'backlog', priority: this.priority });
  }
}

async function application(backend: BackendFactory): Promise<INestApplicationContext> {
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: backend },
        worker: { queues: ['api'], concurrency: 1 },
      }),
    ],
    providers: [Journal, ...provideJobs(Call, Gate, Backlog)],
  })
  class ApiModule {}
  const app = await NestFactory.createApplicationContext(ApiModule, { logger: false, abortOnError: false });
  onTestFinished(() => app.close());
  return app;
}

async function sqliteFile(): Promise<BackendFactory> {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const connection = { driver: 'sqlite', file: join(folder.path, 'queue.sqlite') } as const;
  await migrateSqlQueue(connection);
  return sql({ connection });
}

let api: LimitedApi;
let url: string;

beforeEach(async () => {
  api = new LimitedApi();
  url = await api.listen();
});

afterEach(() => api.close());

/** Priorities on both sides of the call's own, which is 0. */
const priorityOf = (index: number): number => (index % 2 === 0 ? 1 + (index % 100) : -(index % 50));

describe.each([
  ['memory', async () => memory()],
  ['SQLite', sqliteFile],
] as const)('on %s, a handler that is answered 429 with Retry-After', (_, backend) => {
  it('comes back after that time, before a backlog of any priority, for one round, and spends no attempt', async () => {
    const app = await application(await backend());
    const [queue, journal] = [app.get(Queue), app.get(Journal)];
    await queue.push(new Call(url));
    await eventually('the call to be deferred', () => journal.deferrals.length === 1);
    expect(journal.deferrals[0]).toMatchObject({ attempts: 1, delaySeconds: RETRY_AFTER_SECONDS });
    await queue.push(new Gate());
    await eventually('the gate to hold the only slot', () => journal.begun.length === 2);
    await queue.pushMany(
      Array.from({ length: BACKLOG }, (_entry, index) => {
        const priority = priorityOf(index);
        return { job: new Backlog(priority), priority };
      }),
    );
    let delayed: number | null = 1;
    while (delayed !== 0) {
      ({ delayed } = await queue.counts('api'));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(journal.begun).toHaveLength(2);
    journal.gate.resolve();
    await eventually('everything to be begun', () => journal.begun.length === BACKLOG + 4, 15_000);

    const [first, , second, ...rest] = journal.begun;
    expect(first).toEqual({ job: 'call', attempts: 1, deferrals: 0 });
    expect(second).toEqual({ job: 'call', attempts: 1, deferrals: 1 });
    const [firstAsked = 0, secondAsked = 0] = api.askedAt;
    expect(secondAsked - firstAsked).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000);
    // An ordinary error spends an attempt and leaves the job its own priority: behind what is above it, before the rest.
    expect(journal.releases).toMatchObject([{ attempts: 1 }]);
    const third = rest.findIndex(({ job }) => job === 'call');
    expect(rest[third]).toEqual({ job: 'call', attempts: 2, deferrals: 1 });
    const prioritiesOf = (begun: typeof rest): readonly number[] =>
      begun.flatMap((line) => (line.job === 'backlog' ? [line.priority] : []));
    const [before, after] = [prioritiesOf(rest.slice(0, third)), prioritiesOf(rest.slice(third))];
    expect(before).toHaveLength(BACKLOG / 2);
    expect(before.every((priority) => priority > 0)).toBe(true);
    expect(after).toHaveLength(BACKLOG / 2);
    expect(after.every((priority) => priority <= 0)).toBe(true);
    expect(await queue.size('api')).toBe(0);
  });
});

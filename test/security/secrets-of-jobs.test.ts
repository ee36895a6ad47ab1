import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createBullBoard } from '@bull-board/api';
import { ExpressAdapter } from '@bull-board/express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bullBoardQueues } from '../../lib/bull-board.js';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import {
  Handle,
  Job,
  JobDelivery,
  KinetisQueueModule,
  OnJobFailed,
  provideJobs,
  Queue,
  QueueAdmin,
  Sensitive,
} from '../../lib/index.js';
import { TelemetryBench } from '../telemetry/support/telemetry-bench.js';
import { LogLines } from '../module/support/run.js';
import { waitFor } from '../support/eventually.js';
import { everythingIn, spellingsOf } from './support/said.js';
import { testedStores, type TestStore } from './support/stores.js';

const SECRETS = {
  token: 'planted-token-7001',
  nested: 'planted-nested-7002',
  key: 'planted"object\\key-7003',
  part: 'planted-part-7004',
  within: 'planted-within-another-7005',
  cause: 'planted-in-a-cause-7006',
  bundled: 'planted-in-a-bundle-7007',
  name: 'planted-in-a-name-7008',
  padded: 'planted-where-it-is-cut-7009',
  metadata: 'planted-metadata-7010',
  uniqueKey: 'planted-unique-key-7011',
  forged: 'planted-of-an-unknown-class-7012',
} as const;

const QUEUE = 'test-secrets';

@Job({ queue: QUEUE, maxAttempts: 2, backoff: 0 })
class Pay {
  constructor(
    readonly open: string,
    @Sensitive() readonly token: string,
    @Sensitive() readonly nested: unknown,
    @Sensitive() readonly card: { readonly number: string },
  ) {}

  @Handle()
  handle(delivery: JobDelivery): void {
    const [within, cause, bundled, name, padded = '', , key = ''] = this.nested as readonly string[];
    const all = `${this.token} ${JSON.stringify(this.nested)} ${this.card.number} ${encodeURIComponent(key)}`;
    const error = new AggregateError(
      [new Error(`bundled ${bundled}`)],
      `attempt ${delivery.attempts}: ${all} ${within} ${'x'.repeat(7_000)}${padded.repeat(100)}`,
      { cause: new TypeError(`cause ${cause}`, { cause: `text ${cause}` }) },
    );
    error.name = `Error of ${name}`;
    throw error;
  }

  @OnJobFailed()
  failed(error: unknown): void {
    throw error;
  }
}

/** Pushed by an application that lists it, worked by one that does not. */
@Job({ queue: QUEUE, maxAttempts: 1 })
class Gone {
  constructor(readonly text: string) {}

  handle(): void {}
}

function newPay(): Pay {
  const { within, cause, bundled, name, padded, nested, key, part, token } = SECRETS;
  const secrets = [within, cause, bundled, name, padded, { deep: [nested] }, key];
  return new Pay('visible-argument', token, secrets, { number: part });
}

/** All answers of a board, as a browser gets them. */
async function boardAnswers(app: Parameters<typeof bullBoardQueues>[0]): Promise<string> {
  const serverAdapter = new ExpressAdapter();
  createBullBoard({ queues: bullBoardQueues(app), serverAdapter });
  const server = createServer(serverAdapter.getRouter()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers: string[] = [];
  const get = async (path: string): Promise<string> => {
    const text = await (await fetch(address + path)).text();
    answers.push(text);
    return text;
  };
  await get('/');
  const { queues } = JSON.parse(await get('/api/queues')) as { queues: { name: string }[] };
  for (const { name } of queues) {
    for (const status of ['latest', 'failed', 'waiting', 'delayed', 'active']) {
      const text = await get(`/api/queues?activeQueue=${encodeURIComponent(name)}&status=${status}`);
      for (const [, id] of text.matchAll(/"id":"([0-9a-f]{32})"/g)) {
        await get(`/api/queues/${encodeURIComponent(name)}/${id}`);
        await get(`/api/queues/${encodeURIComponent(name)}/${id}/logs`);
      }
    }
  }
  server.close();
  server.closeAllConnections();
  return answers.join('\n');
}

function whereIs(part: string, text: string): string {
  const at = text.indexOf(part);
  return at === -1 ? 'nowhere' : text.slice(Math.max(0, at - 300), at + 100);
}

describe.each(testedStores)('jobs that fail on $name', ({ open }) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  test('leave no secret in logs, health, traces, metrics, the failed store’s errors and the board', async () => {
    const opened = await store.harness.open({ leaseSeconds: 60 });
    const telemetry = new TelemetryBench();
    const log = new LogLines();
    const { backend } = opened;
    const { unique, failedJobs } = backend.capabilities;
    @Module({
      imports: [
        KinetisQueueModule.forRoot({
          connections: { default: async () => backend },
          worker: { queues: [QUEUE], schemaGraceSeconds: 0 },
          telemetry: telemetry.telemetry({ recordExceptions: true }),
        }),
        KinetisQueueHealthModule,
      ],
      providers: [...provideJobs(Pay)],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: log, abortOnError: false });
    onTestFinished(async () => {
      await app.close();
      await opened.close();
    });
    const queue = app.get(Queue);
    const metadata = { customer: SECRETS.metadata };
    await queue.push(newPay(), { metadata, ...(unique ? { uniqueKey: SECRETS.uniqueKey } : {}) });
    await queue.push(new Gone(SECRETS.forged), { metadata });
    await waitFor('both to fail', () => log.event('job.failed').length >= 2, 60_000);
    const said = [everythingIn(log.lines)];
    if (failedJobs !== 'no') {
      const { failed } = await app.resolve(QueueAdmin);
      // The log comes first: the last line of a job that cannot be kept should be there whatever happens to it.
      const jobs = await waitFor('both to be kept', async () => {
        const page = await failed.list({ queue: QUEUE });
        return page.jobs.length === 2 && page.jobs;
      });
      said.push(everythingIn(jobs.map(({ failure }) => failure)));
      said.push(await boardAnswers(app));
    }
    const health = app.get(QueueHealthIndicator, { strict: false });
    said.push(everythingIn(await health.backlogCheck('queue', { queue: QUEUE, maxWaiting: 0 })));
    const spans = telemetry.spans.map(({ name, attributes, events, status }) => ({
      name,
      attributes,
      events,
      status,
    }));
    expect(spans.length).toBeGreaterThan(2);
    said.push(everythingIn(spans));
    for (const metric of ['messaging.client.sent.messages', 'messaging.process.duration']) {
      said.push(everythingIn(await telemetry.measured(metric)));
    }
    const text = said.join('\n');
    expect(text).toContain('[redacted]');
    expect(text).toContain('visible-argument');
    for (const [name, secret] of Object.entries(SECRETS)) {
      for (const spelling of [...spellingsOf(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect([name, whereIs(spelling, text)]).toEqual([name, 'nowhere']);
      }
    }
    // All begin so: nor is the beginning of one there where a text was cut.
    expect(whereIs('planted', text)).toBe('nowhere');
  }, 90_000);
});

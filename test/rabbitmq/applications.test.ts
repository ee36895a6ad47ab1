import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InAppWorkerOptions, KinetisQueueModule, provideJobs, Queue } from '../../lib/index.js';
import { rabbitmq } from '../../lib/rabbitmq.js';
import { Gate, Journal, Note, Slow } from '../module/support/jobs.js';
import { eventually, waitFor } from '../support/eventually.js';
import { consumersOf, plainConnection } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('an application on RabbitMQ', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function open(queuePrefix: string, worker: InAppWorkerOptions): Promise<INestApplicationContext> {
    const connections = { default: rabbitmq({ url: vhost.url.href, queuePrefix }) };
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections, worker })],
      providers: [Journal, Gate, ...provideJobs(Note, Slow)],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    onTestFinished(() => app.close());
    return app;
  }

  it('that is closed during a backlog of 100 acknowledges the job that runs, and leaves 99', async () => {
    const plain = await plainConnection(vhost.url);
    const app = await open('test-backlog-', { queues: ['slow'] });
    const [journal, queue] = [app.get(Journal), app.get(Queue)];
    await queue.pushMany(Array.from({ length: 100 }, () => new Slow('slow')));
    await waitFor('a job to run', () => journal.lines.length === 1);
    const closing = app.close();
    await waitFor('the worker to stop', async () => (await consumersOf(plain, 'test-backlog-slow')) === 0);
    app.get(Gate).open();
    await closing;
    expect(journal.lines).toEqual(['slow began', 'slow ended']);
    const channel = await plain.createChannel();
    await waitFor('99 to be ready', async () => {
      const { messageCount } = await channel.checkQueue('test-backlog-slow');
      return messageCount === 99;
    });
  });

  it('has what was pushed to it, with another in the same process', async () => {
    const apps = await Promise.all(
      ['one', 'two'].map((name) => open(`test-${name}-`, { queues: ['default'] })),
    );
    const pushed = (name: string): string[] => Array.from({ length: 50 }, (_, index) => `${name} ${index}`);
    await Promise.all(
      ['one', 'two'].map((name, index) =>
        (apps[index] as INestApplicationContext)
          .get(Queue)
          .pushMany(pushed(name).map((text) => new Note(text))),
      ),
    );
    const lines = apps.map((app) => app.get(Journal).lines);
    await eventually('every job of both', () => lines.every(({ length }) => length === 50), 20_000);
    expect(lines.map((of) => of.toSorted())).toEqual(['one', 'two'].map((name) => pushed(name).toSorted()));
  });

  it('shares the jobs of one queue with another in the same process, each job in one of them', async () => {
    const apps = await Promise.all([1, 2].map(() => open('test-shared-', { queues: ['default'] })));
    const plain = await plainConnection(vhost.url);
    await waitFor('both to consume', async () => (await consumersOf(plain, 'test-shared-default')) === 2);
    const texts = Array.from({ length: 200 }, (_, index) => `${index}`);
    await (apps[0] as INestApplicationContext).get(Queue).pushMany(texts.map((text) => new Note(text)));
    const lines = apps.map((app) => app.get(Journal).lines);
    await eventually('every job', () => lines.flat().length === texts.length, 20_000);
    expect(lines.flat().toSorted()).toEqual(texts.toSorted());
    expect(lines.every(({ length }) => length > 0)).toBe(true);
  });
});

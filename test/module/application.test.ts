import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import {
  Handle,
  Job,
  JobDelivery,
  JobFailedPermanently,
  JobStarted,
  JobSucceeded,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  provideJobs,
  Queue,
  type QueueTelemetry,
  UnresolvableJobParameterException,
} from '../../lib/index.js';
import { checkOption } from '../../lib/module/configuration/check-option.js';
import { option } from '../../lib/module/configuration/option.js';
import { Journal, Note } from './support/jobs.js';

describe('listeners', () => {
  @Module({ providers: [Journal], exports: [Journal] })
  class JournalModule {}

  @Injectable()
  class Static {
    constructor(@Inject(Journal) readonly journal: Journal) {}

    @OnJobEvent(JobStarted)
    started(event: JobStarted): void {
      this.journal.write(`static: ${event.class} started`);
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class PerDelivery {
    constructor(
      @Inject(Journal) readonly journal: Journal,
      @Inject(JobDelivery) readonly delivery: JobDelivery,
    ) {}

    @OnJobEvent(JobSucceeded)
    succeeded(event: JobSucceeded): void {
      this.journal.write(`per delivery: ${event.id === this.delivery.id}`);
    }
  }

  @Controller()
  class AController {
    constructor(@Inject(Journal) readonly journal: Journal) {}

    @OnJobEvent(JobFailedPermanently)
    failed(event: JobFailedPermanently): void {
      this.journal.write(`controller: ${event.class} failed`);
    }
  }

  @Job()
  class Broken {
    @Handle()
    handle(): void {
      throw new Error('broken');
    }
  }

  @Module({ imports: [JournalModule], providers: [Static, PerDelivery], controllers: [AController] })
  class ListenersModule {}

  @Module({
    imports: [
      JournalModule,
      ListenersModule,
      KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} }),
    ],
    providers: provideJobs(Note, Broken),
  })
  class AppModule {}

  test('of any module and any scope get the events that they name', async () => {
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    const journal = app.get(Journal, { strict: false });
    await app.get(Queue).pushMany([new Note('note'), new Broken()]);
    await journal.has(5);
    await app.close();
    expect(journal.lines).toEqual([
      'static: Note started',
      'note',
      'per delivery: true',
      'static: Broken started',
      'controller: Broken failed',
    ]);
  });
});

describe('at boot', () => {
  @Job()
  class First {
    @Handle()
    handle(_text: string): void {}
  }

  @Job()
  class Second {
    @Handle()
    handle(_count: number): void {}
  }

  test('all handlers that cannot be served are named in one error', async () => {
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
      providers: provideJobs(First, Second),
    })
    class AppModule {}
    const booting = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    await expect(booting).rejects.toThrow(UnresolvableJobParameterException);
    await expect(booting).rejects.toThrow(/First[\s\S]*Second/);
  });

  test('isGlobal: false shows the queues to importing modules only', async () => {
    @Injectable()
    class Pusher {
      constructor(@Inject(Queue) readonly queue: Queue) {}
    }
    const queues = KinetisQueueModule.forRoot({ connections: { default: memory() }, isGlobal: false });
    @Module({ imports: [queues], providers: [Pusher] })
    class Importing {}
    @Module({ providers: [Pusher] })
    class NotImporting {}
    const app = await Test.createTestingModule({ imports: [Importing] }).compile();
    expect(app.get(Pusher, { strict: false }).queue).toBeInstanceOf(Queue);
    await app.close();
    const other = Test.createTestingModule({ imports: [Importing, NotImporting] }).compile();
    await expect(other).rejects.toThrow(/can't resolve dependencies of the Pusher/);
  });

  test("ConfigModule's .env file is read when it is listed first", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
    const file = join(folder, '.env');
    await writeFile(
      file,
      'QUEUE_CONNECTION=memory\nQUEUE_CONNECTIONS=default,dotenv\nQUEUE_DOTENV_CONNECTION=sync\n',
    );
    const before = { ...process.env };
    try {
      @Module({ imports: [ConfigModule.forRoot({ envFilePath: file }), KinetisQueueModule.forRoot()] })
      class AppModule {}
      const app = await NestFactory.createApplicationContext(AppModule, {
        logger: false,
        abortOnError: false,
      });
      expect(app.get<Queue>('Queue(dotenv)').connection.backend.driver).toBe('sync');
      await app.close();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      await rm(folder, { recursive: true });
    }
  });
});

test('captureMetadata and telemetry are asked at each push', async () => {
  const spans: string[] = [];
  const telemetry: QueueTelemetry = {
    startPush: ({ class: name, queue }) => ({ end: () => void spans.push(`push ${name} to ${queue}`) }),
    startJob: (job) => ({
      run: (work) => work(),
      end: () => void spans.push(`job ${job.class} of ${String(job.metadata['tenant'])}`),
    }),
  };
  const captureMetadata = vi.fn(() => ({ tenant: 'acme' }));
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: memory() },
        worker: {},
        captureMetadata,
        telemetry,
      }),
    ],
    providers: [Journal, ...provideJobs(Note)],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  await app.get(Queue).push(new Note('note'));
  await vi.waitFor(() => expect(spans).toEqual(['push Note to default', 'job Note of acme']), 5_000);
  expect(captureMetadata).toHaveBeenCalledTimes(1);
  await app.close();
});

test("a secret option's value is in no error", () => {
  const secret = option({
    secret: true,
    summary: '',
    expected: 'a URL',
    schema: v.pipe(v.string(), v.url()),
  });
  expect(() => checkOption(secret, 'QUEUE_URL', 'hunter2')).toThrow(
    'QUEUE_URL: expected a URL, came something else.',
  );
});

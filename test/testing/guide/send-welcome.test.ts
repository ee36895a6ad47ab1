import { Test, type TestingModule } from '@nestjs/testing';
import { recordQueues, runJob } from '@kinetis/nestjs-queue/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { Mailer } from './mailer.js';
import { SendWelcome } from './send-welcome.job.js';

let app: TestingModule;

beforeEach(async () => {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  recordQueues(builder);
  app = await builder.compile();
});
afterEach(() => app.close());

test('it writes', async () => {
  const { outcome } = await runJob(app, new SendWelcome('ada@example.com', 'token', new Date('2026-01-02')));

  expect(outcome).toBe('acked');
  expect(app.get(Mailer).sent).toEqual(['ada@example.com: Welcome since 2026']);
});

test('it tries an address again after a minute, and then gives up', async () => {
  app.useLogger(false); // a failure is an error line
  const job = new SendWelcome('nowhere', 'token', new Date());

  expect(await runJob(app, job, { attempts: 2 })).toMatchObject({ outcome: 'released', delaySeconds: 60 });
  expect(await runJob(app, job, { attempts: 3 })).toMatchObject({
    outcome: 'failed',
    error: { message: 'That is no address.' },
  });
});

test('it waits for the mail server, and spends no attempt', async () => {
  app.get(Mailer).closed = true;
  const job = new SendWelcome('ada@example.com', 'token', new Date());

  expect(await runJob(app, job)).toMatchObject({ outcome: 'deferred', delaySeconds: 300 });
});

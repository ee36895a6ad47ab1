import { Test, type TestingModule } from '@nestjs/testing';
import { drain, recordQueues, type RecordedQueues } from '@kinetis/nestjs-queue/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppModule } from './app.module.js';
import { MailBridge, type OldJob } from './mail.bridge.js';
import { Mailer } from './mailer.js';
import { MailWatch } from './mail-watch.js';
import { Articles, Publishing } from './publish-article.js';
import { Registrations } from './registrations.js';
import { SendWelcome } from './send-welcome.job.js';

let app: TestingModule;
let queues: RecordedQueues;

beforeEach(async () => {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  queues = recordQueues(builder);
  app = await builder.compile();
});
afterEach(() => app.close());

const oldJob: OldJob = {
  id: '7',
  name: 'welcome',
  data: { email: 'ada@example.com', plan: 'paid' },
  timestamp: Date.now() - 60_000,
  attemptsMade: 1,
  opts: { attempts: 3 },
};

test('a registration is pushed once, with its delay and its priority', async () => {
  const registrations = app.get(Registrations);
  expect(await registrations.register('ada@example.com')).toBe(true);
  expect(await registrations.register('ada@example.com')).toBe(false);
  queues
    .pushed(SendWelcome, { args: { plan: 'free' } })
    .pushedOn('mail')
    .with({ delaySeconds: 60, priority: 10, uniqueKey: 'welcome-ada@example.com' })
    .times(1);
});

test('a job that throws comes back after its backoff, and what becomes of it is told', async () => {
  app.get(Mailer).refusals = 1;
  await app.get(Registrations).register('ada@example.com');
  await drain(app, { delayed: true });
  expect(app.get(Mailer).sent).toEqual(['ada@example.com (free)']);
  expect(app.get(MailWatch).lines).toEqual(['SendWelcome ran in attempt 2']);
});

test('a job that never succeeds is told once', async () => {
  app.get(Mailer).refusals = 3;
  await app.get(Registrations).register('ada@example.com');
  await drain(app, { delayed: true });
  expect(app.get(Mailer).sent).toEqual([]);
  expect(app.get(MailWatch).lines).toEqual(['SendWelcome failed: exhausted']);
});

test('a chain runs in order', async () => {
  await app.get(Publishing).publish(5);
  await drain(app, { delayed: true });
  expect(app.get(Articles).steps).toEqual(['rendered 5', 'announced 5']);
});

test('the bridge pushes what is left, with the attempts that are left, once', async () => {
  const bridge = app.get(MailBridge);
  await bridge.process(oldJob);
  await bridge.process(oldJob);
  queues
    .pushed(SendWelcome, { args: { email: 'ada@example.com', plan: 'paid' } })
    .with({ maxAttempts: 2, metadata: { bullmqId: '7' } })
    .times(1);
  await drain(app, { delayed: true });
  expect(app.get(Mailer).sent).toEqual(['ada@example.com (paid)']);
});

test('a delayed job that was promoted keeps what is left of its delay', async () => {
  await app.get(MailBridge).process({ ...oldJob, opts: { attempts: 3, delay: 3_600_000 } });
  queues.pushed(SendWelcome).with((_, { delaySeconds }) => delaySeconds > 3_500 && delaySeconds <= 3_540);
});

test('the bridge refuses a name that it does not know, so that BullMQ keeps the job', async () => {
  await expect(app.get(MailBridge).process({ ...oldJob, name: 'other' })).rejects.toThrow('"other"');
  queues.notPushed(SendWelcome);
});

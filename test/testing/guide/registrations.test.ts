import { Test, type TestingModule } from '@nestjs/testing';
import { drain, recordQueues, type RecordedQueues } from '@kinetis/nestjs-queue/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppModule, Registrations } from './app.module.js';
import { Mailer } from './mailer.js';
import { CountRegistration, SendWelcome } from './send-welcome.job.js';

let app: TestingModule;
let queues: RecordedQueues;

beforeEach(async () => {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  queues = recordQueues(builder); // before compile(): REDIS_URL is never asked for
  app = await builder.compile();
});
afterEach(() => app.close());

test('a registration pushes a welcome mail', async () => {
  await app.get(Registrations).register('ada@example.com');

  queues
    .pushed(SendWelcome, { args: { email: 'ada@example.com' } })
    .pushedOn('mail')
    .with({ delaySeconds: 30, uniqueKey: 'welcome-ada@example.com' })
    .with((job) => job.registeredAt <= new Date())
    .times(1);
  queues.notPushed(CountRegistration);
});

test('a confirmation counts, then writes', async () => {
  await app.get(Registrations).confirm('ada@example.com');

  queues.chained([new CountRegistration('ada@example.com'), SendWelcome]);
});

test('what was pushed runs when the test says so', async () => {
  await app.get(Registrations).confirm('ada@example.com');
  const outcomes = await drain(app);

  expect(outcomes).toMatchObject([{ outcome: 'acked' }, { outcome: 'acked' }]);
  expect(app.get(Mailer).sent).toHaveLength(1);
});

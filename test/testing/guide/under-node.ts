import 'reflect-metadata';
import { test } from 'node:test';
import { Test } from '@nestjs/testing';
import { drain, recordQueues } from '@kinetis/nestjs-queue/testing';
import { AppModule, Registrations } from './app.module.js';
import { SendWelcome } from './send-welcome.job.js';

void test('a registration pushes a welcome mail', async () => {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  const queues = recordQueues(builder);
  const app = await builder.compile();
  try {
    await app.get(Registrations).register('ada@example.com');
    queues.pushed(SendWelcome).pushedOn('mail');
    await drain(app, { delayed: true });
  } finally {
    await app.close();
  }
});

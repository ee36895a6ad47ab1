import { Injectable, Module } from '@nestjs/common';
import { expect, test } from 'vitest';
import { Handle, Job, KinetisQueueModule, memory, provideJobs, Queue, runWorker } from '../../lib/index.js';

const ran: string[] = [];

@Injectable()
class Mailer {
  send(to: string): void {
    ran.push(to);
  }
}

@Job({ queue: 'mail' })
class SendMail {
  constructor(readonly to: string) {}

  @Handle()
  handle(mailer: Mailer): void {
    mailer.send(this.to);
  }
}

@Module({
  imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
  providers: [Mailer, ...provideJobs(SendMail)],
})
class AppModule {}

test('a worker runs a pushed job and ends with 0', async () => {
  const codes: number[] = [];
  const code = await runWorker(AppModule, {
    argv: ['--once'],
    env: {},
    logger: false,
    configure: async (app) => {
      await app.get(Queue).push(new SendMail('a@b.c'));
    },
    exit: (exitCode) => codes.push(exitCode),
  });
  expect({ ran, codes, code }).toEqual({ ran: ['a@b.c'], codes: [0], code: 0 });
});

import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import type { TestingModule, TestingModuleBuilder } from '@nestjs/testing';
import {
  drain,
  type JobOutcome,
  type PushedJobs,
  recordQueues,
  type RecordedQueues,
  runJob,
} from '@kinetis/nestjs-queue/testing';

declare const builder: TestingModuleBuilder;
declare const tested: TestingModule;
declare const app: INestApplication;
declare const context: INestApplicationContext;

class SendMail {
  constructor(
    readonly to: string,
    private readonly token: string,
  ) {}

  handle(mailer: { send(to: string, token: string): void }): void {
    mailer.send(this.to, this.token);
  }
}

class Service {
  run(): void {}
}

const queues: RecordedQueues = recordQueues(builder);
recordQueues(builder, { connections: ['default', 'ledger'] });

const mail = new SendMail('a@b.c', 'secret');
const found: PushedJobs<SendMail> = queues.pushed(SendMail);
export const jobs: readonly SendMail[] = found.jobs;
queues.pushed(SendMail, mail).pushedOn('mail').times(1);
queues.pushed(SendMail, (job, push) => job.to === 'a@b.c' && push.priority === 0);
queues.pushed(SendMail, { args: { to: 'a@b.c' }, delaySeconds: 30, uniqueKey: null, maxAttempts: null });
queues.pushed('mail.send', { args: { anything: [1] }, metadata: { tenant: 'x' } });
queues
  .pushedOn('mail')
  .with({ args: { to: 'a@b.c' }, priority: 5 })
  .with(mail);
queues.notPushed(SendMail, mail);
queues.chained([SendMail, mail, 'mail.send']);
queues.nothingPushed();
export const cleared: Promise<void> = queues.clear();

export const ran: Promise<JobOutcome>[] = [
  runJob(tested, mail),
  runJob(app, mail, { attempts: 2, deferrals: 1, maxAttempts: null, queue: 'mail', metadata: { a: 'b' } }),
  runJob(context, mail, { connection: 'ledger' }),
];
export const drained: Promise<JobOutcome[]>[] = [
  drain(tested),
  drain(app, { connection: 'ledger', delayed: true, maxJobs: 10, maxAttempts: 3 }),
  drain(context),
];

export function delayOf(outcome: JobOutcome): number {
  if (outcome.outcome === 'released' || outcome.outcome === 'deferred') return outcome.delaySeconds;
  if (outcome.outcome === 'failed') return outcome.cause === 'exhausted' ? -1 : -2;
  // @ts-expect-error a job that is done does not come back
  return outcome.delaySeconds;
}

// @ts-expect-error a testing module is built already
recordQueues(tested);
// @ts-expect-error an instance is no class
queues.pushed(mail);
// @ts-expect-error another service is no job
queues.pushed(Service);
// @ts-expect-error an argument of another type
queues.pushed(SendMail, { args: { to: 1 } });
// @ts-expect-error no such argument
queues.pushed(SendMail, { args: { subject: 'x' } });
// @ts-expect-error a method is no argument
queues.pushed(SendMail, { args: { handle: () => undefined } });
// @ts-expect-error an option is not called so
queues.pushed(SendMail, { delay: 30 });
// @ts-expect-error the function is given a SendMail
queues.pushed(SendMail, (job: Date) => job.getTime() > 0);
// @ts-expect-error a chain is of jobs
queues.chained([Service]);
// @ts-expect-error a class is no job
void runJob(app, SendMail);
// @ts-expect-error attempts is a number
void runJob(app, mail, { attempts: '2' });
// @ts-expect-error a delay has no say in what a worker does
void runJob(app, mail, { delaySeconds: 5 });
// @ts-expect-error a testing module's builder runs nothing
void drain(builder);
// @ts-expect-error delayed is yes or no
void drain(app, { delayed: 30 });

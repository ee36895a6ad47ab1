import type { Queue } from '@kinetis/nestjs-queue';

declare const queue: Queue;

class SendMail {
  constructor(readonly to: string) {}

  handle(mailer: { send(to: string): void }): void {
    mailer.send(this.to);
  }
}

class Service {
  run(): void {}
}

export const accepted: Promise<unknown>[] = [
  queue.push(new SendMail('a@b.c')),
  queue.push(new SendMail('a@b.c'), { delaySeconds: 30, maxAttempts: null, priority: -100 }),
  queue.push(new SendMail('a@b.c'), { queue: 'mail', uniqueKey: 'a', metadata: { tenant: 'x' } }),
  queue.pushMany([new SendMail('a@b.c'), { job: new SendMail('d@e.f'), delaySeconds: 5 }]),
];

// @ts-expect-error a class is no job: it must be an instance
void queue.push(SendMail);
// @ts-expect-error an empty object has no handle()
void queue.push({});
// @ts-expect-error another service has no handle()
void queue.push(new Service());
// @ts-expect-error handle must be a method
void queue.push({ handle: 'x' });
// @ts-expect-error a string is no job
void queue.push('SendMail');
// @ts-expect-error a job is needed
void queue.push();
// @ts-expect-error delaySeconds is a number
void queue.push(new SendMail('a@b.c'), { delaySeconds: '30' });
// @ts-expect-error priority is a number
void queue.push(new SendMail('a@b.c'), { priority: 'high' });
// @ts-expect-error metadata holds strings
void queue.push(new SendMail('a@b.c'), { metadata: { tenant: 1 } });
// @ts-expect-error no option is called delay
void queue.push(new SendMail('a@b.c'), { delay: 30 });
// @ts-expect-error a class is no entry
void queue.pushMany([SendMail]);
// @ts-expect-error an entry's job must have handle()
void queue.pushMany([{ job: new Service() }]);
// @ts-expect-error an empty object is no entry
void queue.pushMany([{}]);

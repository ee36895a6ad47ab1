import type { INestApplicationContext } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { Greet, Greeter } from './greet.job.js';

/** Pushes one job, waits until the worker ran it, and answers what it did. */
export async function greetOnce(app: INestApplicationContext): Promise<string> {
  const id = await app.get(Queue).push(new Greet('Ada', new Date('2026-01-02T03:04:05.678Z')));
  if (!/^[0-9a-f]{32}$/.test(id)) throw new Error(`Expected the id of the job; got ${String(id)}.`);
  const greeter = app.get(Greeter);
  const deadline = Date.now() + 10_000;
  while (greeter.greeted.length === 0) {
    if (Date.now() > deadline) throw new Error('The job did not run within 10 s.');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return greeter.greeted.join('; ');
}

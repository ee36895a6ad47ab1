// An application with one job, which does nothing but say when it began.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Handle, Job, KinetisQueueModule, provideJobs, Queue } from '../../dist/lib/index.js';

export class Ping {
  constructor(n) {
    this.n = n;
  }

  handle() {
    process.send?.(String(process.hrtime.bigint()));
  }
}
Job({ name: 'bench.ping' })(Ping);
Handle()(Ping.prototype, 'handle', Object.getOwnPropertyDescriptor(Ping.prototype, 'handle'));

/** The module of an application over a backend. */
export function moduleOver(backend) {
  class BenchModule {}
  return {
    module: BenchModule,
    imports: [KinetisQueueModule.forRoot({ connections: { default: backend } })],
    providers: provideJobs(Ping),
  };
}

export async function applicationOver(backend) {
  const app = await NestFactory.createApplicationContext(moduleOver(backend), { logger: false });
  return { app, queue: app.get(Queue) };
}

import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** The worker makes its log lines; nobody prints them. */
const SILENT = { log() {}, warn() {}, error() {}, debug() {} };

class Counter {
  onHandled;
}

class SendInvoice {
  constructor(invoice, address, at) {
    this.invoice = invoice;
    this.address = address;
    this.at = at;
  }

  async handle(counter) {
    counter.onHandled();
  }
}

/** An application over the memory backend, with its jobs pushed before its worker starts. */
export async function startApplication(lib, { jobs, concurrency, onHandled }) {
  const { Job, KinetisQueueModule, memory, provideJobs, Queue } = lib;
  Job({ maxAttempts: 3, inject: [Counter] })(SendInvoice);

  class Pushed {
    constructor(queue) {
      this.queue = queue;
    }

    async onModuleInit() {
      for (let index = 0; index < jobs; index += 1) {
        await this.queue.push(new SendInvoice(index, 'someone@example.test', '2026-01-01T00:00:00Z'));
      }
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Queue], Pushed);

  class AppModule {}
  const worker = { concurrency, queues: ['default'] };
  Module({
    imports: [KinetisQueueModule.forRoot({ connections: { default: memory() }, worker })],
    providers: [{ provide: Counter, useValue: { onHandled } }, Pushed, ...provideJobs(SendInvoice)],
  })(AppModule);
  return NestFactory.createApplicationContext(AppModule, { logger: SILENT });
}

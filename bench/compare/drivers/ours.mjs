// This package, whole: module, job class with an injected provider, serializer, worker, events. `scoped`: the provider is made for
// each delivery.
import 'reflect-metadata';
import { Injectable, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as lib from '../../../dist/lib/index.js';

const { Job, Handle, KinetisQueueModule, provideJobs, Queue } = lib;
const SILENT = { log() {}, warn: console.warn, error: console.error, fatal: console.error };

let handled = () => {};
class Static {
  handled(payload) {
    handled(payload);
  }
}
Injectable()(Static);
class Scoped extends Static {}
Injectable({ scope: Scope.REQUEST })(Scoped);

function jobOver(provider) {
  class SendInvoice {
    constructor(invoice, address, at, note) {
      this.invoice = invoice;
      this.address = address;
      this.at = at;
      this.note = note;
    }

    async handle(mailer) {
      mailer.handled(this);
    }
  }
  Job({ name: 'bench.invoice', inject: [provider] })(SendInvoice);
  Handle()(SendInvoice.prototype, 'handle', Object.getOwnPropertyDescriptor(SendInvoice.prototype, 'handle'));
  return SendInvoice;
}

async function backendOf({ name, options }) {
  const { [name]: backend } = name === 'memory' ? lib : await import(`../../../dist/lib/${name}.js`);
  return backend(options);
}

export async function open(where, { scoped = false, backlog = null }) {
  const SendInvoice = jobOver(scoped ? Scoped : Static);
  const job = ({ invoice, address, at, note }) => new SendInvoice(invoice, address, at, note);
  const backend = await backendOf(where.ours);

  async function application(worker) {
    class BenchModule {}
    const module = {
      module: BenchModule,
      imports: [KinetisQueueModule.forRoot({ connections: { default: backend }, worker })],
      providers: [Static, Scoped, ...provideJobs(SendInvoice)],
    };
    return NestFactory.createApplicationContext(module, { logger: SILENT });
  }

  let app = null;
  let queue = null;
  const pushing = async () => {
    app ??= await application();
    queue ??= app.get(Queue);
    return queue;
  };
  if (backlog === null) await pushing();
  return {
    push: (payload) => queue.push(job(payload)),
    pushMany: (payloads) => queue.pushMany(payloads.map(job)),
    async work(concurrency, onJob) {
      handled = onJob;
      await app?.close();
      app = await application({ concurrency, queues: ['default'] });
    },
    close: () => app?.close(),
  };
}

import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { fixtureVariable } from './fixture-environment.js';
import { ListenersAppModule, OrderPaid } from './listeners-app.module.js';

// Stands for a web process: it emits, and closes at once.
const app = await NestFactory.createApplicationContext(ListenersAppModule);
const emitter = app.get(EventEmitter2, { strict: false });
const orders = Number(fixtureVariable('ORDERS'));
for (let order = 0; order < orders; order += 1) {
  // Nobody waits: the close does.
  emitter.emit(order % 2 === 0 ? 'order.paid' : 'order.invoiced', new OrderPaid(order, new Date()));
}
await app.close();

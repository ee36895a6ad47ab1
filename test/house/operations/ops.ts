import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../sample/readme/app.module.js';
import { operate } from './operate.js';

const [command = 'queues', queue, id] = process.argv.slice(2);
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
try {
  console.dir(await operate(app, command, queue, id), { depth: null });
} finally {
  await app.close();
}

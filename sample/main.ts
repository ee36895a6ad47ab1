import 'reflect-metadata';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { settingsOrExit } from './settings.js';

const { port } = settingsOrExit();
const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
await app.init();
try {
  // Not app.listen(), which logs an error of its own about a port that is taken.
  const server = app.getHttpServer() as Server;
  await once(server.listen(port), 'listening');
  process.stdout.write(`Listening on http://localhost:${(server.address() as AddressInfo).port}\n`);
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  process.stderr.write(`Port ${port} is taken: set PORT to another, or end what listens there.\n`);
  process.exitCode = 98;
  await app.close();
}

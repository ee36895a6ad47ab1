import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BOARD_PATH, mountBoard } from './board/mount-board.js';
import { BOARD_USER } from './board/password-guard.js';
import { settingsOrExit } from './settings.js';

const { port, boardPassword } = settingsOrExit();
// None that could be known: a password in the code would open every copy of the sample.
const password = boardPassword ?? randomBytes(12).toString('base64url');
const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
mountBoard(app, password);
await app.init();
try {
  // Not app.listen(), which logs an error of its own about a port that is taken.
  const server = app.getHttpServer() as Server;
  await once(server.listen(port), 'listening');
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const shown = boardPassword === null ? password : 'as in SAMPLE_BOARD_PASSWORD';
  process.stdout.write(
    `Listening on ${address}\nBoard ${address}${BOARD_PATH}  (user ${BOARD_USER}, password ${shown})\n`,
  );
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  process.stderr.write(`Port ${port} is taken: set PORT to another, or end what listens there.\n`);
  process.exitCode = 98;
  await app.close();
}

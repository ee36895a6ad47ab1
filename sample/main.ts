import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { readSettings } from './settings.js';

const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks(['SIGINT', 'SIGTERM'], { useProcessExit: true });
await app.listen(readSettings().port);
const url = (await app.getUrl()).replace(/\[::1?\]|127\.0\.0\.1|0\.0\.0\.0/, 'localhost');
process.stdout.write(`Listening on ${url}\n`);

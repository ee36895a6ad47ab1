import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Queue } from '@kinetis/nestjs-queue';
import { AppModule } from './app.module.js';
import { RenderArticle } from './publish-article.js';

/** For the cron of the system, or a CronJob of Kubernetes: `0 3 * * * node dist/nightly`. */
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
try {
  const day = new Date().toISOString().slice(0, 10);
  await app.get(Queue).push(new RenderArticle(1), { uniqueKey: `nightly-${day}` });
} finally {
  await app.close();
}

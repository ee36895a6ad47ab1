import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { AppModule } from './app.module.js';
import { LineLogger } from './line-logger.js';

await runWorker(AppModule, { logger: new LineLogger() });

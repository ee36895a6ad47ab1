import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { AppModule } from './app.module.js';

await runWorker(AppModule);

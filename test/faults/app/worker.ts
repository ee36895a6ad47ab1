import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { WorkerModule } from './worker.module.js';

await runWorker(WorkerModule);

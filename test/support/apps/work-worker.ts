import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { WorkAppModule } from './work-app.module.js';

await runWorker(WorkAppModule);

import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { FailingAppModule } from './failing-app.module.js';

await runWorker(FailingAppModule);

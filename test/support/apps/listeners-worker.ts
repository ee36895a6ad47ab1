import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { ListenersAppModule } from './listeners-app.module.js';

await runWorker(ListenersAppModule);

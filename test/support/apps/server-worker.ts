import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { ServerAppModule } from './server-app.module.js';

await runWorker(ServerAppModule);

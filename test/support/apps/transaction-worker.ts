import 'reflect-metadata';
import { runWorker } from '@kinetis/nestjs-queue';
import { TransactionAppModule } from './transaction-app.module.js';

await runWorker(TransactionAppModule);

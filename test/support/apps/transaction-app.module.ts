import { Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { fixtureConnection, fixtureLedger } from './fixture-environment.js';
import { OutcomesListener } from './outcomes.listener.js';
import { Order } from './transaction-order.job.js';

@Module({ providers: [fixtureLedger, OutcomesListener, ...provideJobs(Order)] })
class OrdersModule {}

@Module({
  imports: [OrdersModule, KinetisQueueModule.forRoot({ connections: { default: fixtureConnection() } })],
})
export class TransactionAppModule {}

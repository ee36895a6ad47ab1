import { Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { Database } from './database.js';
import { fixtureConnection, fixtureLedger } from './fixture-environment.js';
import { OutcomesListener } from './outcomes.listener.js';
import { Work } from './work.job.js';

@Module({ providers: [Database], exports: [Database] })
class DatabaseModule {}

@Module({
  imports: [DatabaseModule],
  providers: [fixtureLedger, OutcomesListener, ...provideJobs(Work)],
})
class WorkModule {}

@Module({
  imports: [WorkModule, KinetisQueueModule.forRoot({ connections: { default: fixtureConnection() } })],
})
export class WorkAppModule {}

import { Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { sql, type SqlServerConnectionOptions } from '@kinetis/nestjs-queue/sql';
import { Database } from './database.js';
import { fixtureLedger, fixtureVariable } from './fixture-environment.js';
import { OutcomesListener } from './outcomes.listener.js';
import { Work } from './work.job.js';

/** The database of the server that the test and its processes share. */
function serverConnection(): SqlServerConnectionOptions {
  return JSON.parse(fixtureVariable('SERVER_CONNECTION')) as SqlServerConnectionOptions;
}

@Module({ providers: [Database, fixtureLedger, OutcomesListener, ...provideJobs(Work)] })
class WorkModule {}

@Module({
  imports: [
    WorkModule,
    KinetisQueueModule.forRoot({
      connections: {
        default: sql({
          connection: serverConnection(),
          leaseSeconds: Number(fixtureVariable('LEASE_SECONDS')),
        }),
      },
    }),
  ],
})
export class ServerAppModule {}

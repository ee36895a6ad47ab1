import { Module } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';
import { Database } from './database.js';
import { Ledger } from './ledger.js';
import { OutcomesListener } from './outcomes.listener.js';
import { Work } from './work.job.js';

const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The fixture needs the variable ${name}.`);
  return value;
};

const ledger = { provide: Ledger, useFactory: () => new Ledger(env('LEDGER_FILE')) };

@Module({ providers: [Database], exports: [Database] })
class DatabaseModule {}

@Module({
  imports: [DatabaseModule],
  providers: [ledger, OutcomesListener, ...provideJobs(Work)],
})
class WorkModule {}

@Module({
  imports: [
    WorkModule,
    KinetisQueueModule.forRoot({
      connections: {
        default: sql({
          connection: { driver: 'sqlite', file: env('DATABASE_FILE') },
          leaseSeconds: Number(env('LEASE_SECONDS')),
        }),
      },
    }),
  ],
})
export class WorkAppModule {}

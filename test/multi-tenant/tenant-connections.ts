import { Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken, KinetisQueueModule, Queue } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';

/** Tenants whose jobs are kept apart; all others share `default`. */
const APART = ['acme', 'globex'];

@Injectable()
export class TenantQueues {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** A worker of a tenant: `QUEUE_CONNECTION_NAME=acme node dist/worker`. */
  of(tenant: string): Queue {
    const name = APART.includes(tenant) ? tenant : 'default';
    return this.moduleRef.get<Queue>(getQueueToken(name), { strict: false });
  }
}

/** A file for each, in a folder; for a server, the database of each. */
const fileOf = (tenant: string) =>
  sql({ connection: { driver: 'sqlite', file: `${process.env['QUEUE_FOLDER'] ?? 'var'}/${tenant}.sqlite` } });

@Module({
  imports: [
    KinetisQueueModule.forRoot({
      connections: { default: fileOf('shared'), acme: fileOf('acme'), globex: fileOf('globex') },
    }),
  ],
  providers: [TenantQueues],
})
export class ConnectionsModule {}

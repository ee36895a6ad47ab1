import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  Handle,
  Job,
  JobDelivery,
  type JobEvent,
  JobFailedPermanently,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
  KinetisQueueModule,
  OnJobEvent,
  provideJobs,
  Queue,
} from '../../lib/index.js';
import { sql } from '../../lib/sql.js';
import { waitFor } from '../support/eventually.js';
import { newQueueDatabase } from '../support/server-queue.js';
import { openBackend } from '../support/sql-files.js';
import { isTested } from '../support/servers.js';
import { driverNamed, openServerOrm, type ServerDriver, type ServerOrm } from '../support/sql-servers.js';

const LEASE_SECONDS = 1.5;
const JOBS = 4;

/** The application's database, and what its handlers do with all of its connections. */
class Application {
  readonly started: number[] = [];
  readonly aborted: unknown[] = [];
  readonly told: string[] = [];
  holding = 0;
  mostHolding = 0;

  constructor(
    private readonly orm: ServerOrm,
    private readonly driver: ServerDriver,
  ) {}

  /** Holds a connection for two leases; where none is free, waits for one first. */
  async hold(): Promise<void> {
    await this.orm.em.fork().transactional(async (em) => {
      this.holding += 1;
      this.mostHolding = Math.max(this.mostHolding, this.holding);
      const statement = this.driver.sleep(2 * LEASE_SECONDS);
      await em.getConnection().execute(statement, [], 'all', em.getTransactionContext());
      this.holding -= 1;
    });
  }
}

@Job({ queue: 'hoard', maxAttempts: 3 })
class Hoard {
  constructor(readonly n: number) {}

  @Handle()
  async handle(application: Application, delivery: JobDelivery): Promise<void> {
    application.started.push(delivery.attempts);
    delivery.signal.addEventListener('abort', () => application.aborted.push(delivery.signal.reason));
    await application.hold();
  }
}

@Injectable()
class Outcomes {
  constructor(private readonly application: Application) {}

  @OnJobEvent(JobSucceeded, JobReleased, JobFailedPermanently, JobSettlementLost, JobSettlementUnknown)
  record(event: JobEvent): void {
    this.application.told.push(event.constructor.name);
  }
}

/** Starts an application with a worker inside; both have the same MikroORM, the pool of which is that small. */
async function startApplication(driver: ServerDriver, dbName: string, poolSize: number) {
  const orm = await openServerOrm(driver, dbName, { pool: { min: 0, max: poolSize } });
  const application = new Application(orm, driver);
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: sql({ orm, leaseSeconds: LEASE_SECONDS }) },
        worker: { queues: ['hoard'], concurrency: JOBS },
      }),
    ],
    providers: [{ provide: Application, useValue: application }, Outcomes, ...provideJobs(Hoard)],
  })
  class AppModule {}
  const testing = Test.createTestingModule({ imports: [AppModule] }).setLogger(false as never);
  const app = await (await testing.compile()).init();
  onTestFinished(() => app.close());
  return { application, queue: app.get(Queue) };
}

describe.each(['postgresql', 'mariadb', 'mysql'] as const)('handlers over the driver of %s', (name) => {
  const driver = driverNamed(name);

  it.runIf(isTested(driver.backend)).each([
    ['every connection of the application’s pool for two leases', JOBS],
    ['two connections, for which four of them stand in line,', 2],
  ])('that hold %s lose no lease, and settle once', async (_what, poolSize) => {
    const connection = await newQueueDatabase(driver);
    const { application, queue } = await startApplication(driver, connection.database ?? '', poolSize);
    await queue.pushMany(Array.from({ length: JOBS }, (_, n) => new Hoard(n)));
    await waitFor('all handlers to run', () => application.started.length === JOBS);
    // A lease that lapsed would be this one's.
    const rival = await openBackend({ connection });
    await waitFor('the end of all handlers', async () => {
      expect(await rival.reserve(['hoard'], JOBS)).toEqual([]);
      return application.told.length >= JOBS;
    });
    expect(application.mostHolding).toBe(poolSize);
    expect(application.started).toEqual([1, 1, 1, 1]);
    expect(application.aborted).toEqual([]);
    expect(application.told).toEqual(Array.from({ length: JOBS }, () => 'JobSucceeded'));
    expect(await rival.count('hoard')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
  });
});

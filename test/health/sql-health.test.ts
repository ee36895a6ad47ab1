import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import { KinetisQueueModule } from '../../lib/index.js';
import { migrateSqlQueue, sql } from '../../lib/sql.js';
import { temporaryFile } from '../support/sql-files.js';

async function healthOf(file: string): Promise<QueueHealthIndicator> {
  const connection = { driver: 'sqlite', file } as const;
  const queues = KinetisQueueModule.forRoot({
    connections: { default: sql({ connection }) },
    isGlobal: false,
  });
  // Another module than the one that imports the queues: health finds them wherever they are.
  @Module({ imports: [KinetisQueueHealthModule] })
  class OperationsModule {}
  const app = await Test.createTestingModule({ imports: [queues, OperationsModule] }).compile();
  onTestFinished(() => app.close());
  return app.get(QueueHealthIndicator, { strict: false });
}

test('a migrated database is up', async () => {
  const file = await temporaryFile();
  await migrateSqlQueue({ driver: 'sqlite', file });
  const health = await healthOf(file);
  expect(await health.connectionCheck('queue')).toEqual({ queue: { status: 'up', connection: 'default' } });
});

test('a database that was never migrated is down and says what to do', async () => {
  const health = await healthOf(await temporaryFile());
  const { queue } = await health.connectionCheck('queue');
  expect(queue).toMatchObject({
    status: 'down',
    error: 'SCHEMA_OUTDATED',
    message: expect.stringContaining('run the migrations'),
  });
});

test('a file that cannot be opened is down, and its path is not shown', async () => {
  const file = join(dirname(await temporaryFile()), 'no-such-folder', 'queue.sqlite');
  const health = await healthOf(file);
  const result = await health.backlogCheck('mail', { queue: 'mail', maxWaiting: 10 });
  expect(result.mail.status).toBe('down');
  expect(JSON.stringify(result)).not.toContain('no-such-folder');
});

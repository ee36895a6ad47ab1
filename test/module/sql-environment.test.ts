import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KinetisQueueModule, provideJobs, Queue } from '../../lib/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { Journal, Note } from './support/jobs.js';
import { start } from './support/run.js';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  file = join(folder, 'jobs.sqlite');
  vi.stubEnv('QUEUE_CONNECTION', 'sql');
  vi.stubEnv('DB_DATABASE', file);
  vi.stubEnv('QUEUE_PREFIX', 'shop_');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

function application() {
  @Module({ imports: [KinetisQueueModule.forRoot()], providers: [Journal, ...provideJobs(Note)] })
  class AppModule {}
  return AppModule;
}

test('the environment alone gives a SQLite queue, opened at its first use', async () => {
  const app = await NestFactory.createApplicationContext(application(), {
    logger: false,
    abortOnError: false,
  });
  await expect(access(file)).rejects.toThrow();
  await app.close();

  await migrateSqlQueue({ driver: 'sqlite', file }, { tablePrefix: 'shop_' });
  const run = start(application(), ['--once'], async (worker) => {
    await worker.get(Queue).push(new Note('stored'));
  });
  expect(await run.ended).toBe(0);
  expect((await run.app).get(Journal, { strict: false }).lines).toEqual(['stored']);
});

test('a worker on a file without tables ends with 64 and names the mend', async () => {
  const run = start(application());
  expect(await run.ended).toBe(64);
  expect(JSON.stringify(run.log.event('worker.stopped'))).toMatch(/migrat/i);
});

test('boot says which variables it read, and shows no value of them', async () => {
  const lines: string[] = [];
  const logger = Object.fromEntries(
    ['log', 'warn', 'error', 'debug', 'verbose', 'fatal'].map((level) => [
      level,
      (line: unknown) => lines.push(String(line)),
    ]),
  );
  const app = await NestFactory.createApplicationContext(application(), {
    logger: logger as never,
    abortOnError: false,
  });
  await app.close();
  expect(lines).toContain(
    'Connections from the environment, read from DB_DATABASE, QUEUE_CONNECTION, QUEUE_PREFIX.',
  );
  expect(lines.join('\n')).not.toContain(folder);
});

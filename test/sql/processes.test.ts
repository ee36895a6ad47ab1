import { describe, expect, it } from 'vitest';
import type { StoreOutcome } from '../../lib/contract/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { startSqlChild } from '../support/sql-child-process.js';
import { migrated, newJob, openBackend, openOrm, temporaryFile } from '../support/sql-files.js';

/** Each process compiles the library for itself, which takes its time on a busy machine. */
const timeout = 90_000;

describe('several processes on one SQLite file', { timeout }, () => {
  it('give each job to one of them', async () => {
    const { file, backend } = await migrated();
    const jobs = Array.from({ length: 600 }, () => newJob());
    await backend.store(jobs);
    const children = [1, 2, 3].map(() => startSqlChild({ driver: 'sqlite', file }));
    const first = await Promise.all(children.map((child) => child.ask('take one')));
    const rest = await Promise.all(children.map((child) => child.ask('take all')));
    const codes = await Promise.all(children.map((child) => child.end()));
    expect(first.map((taken) => (taken as string[]).length)).toEqual([1, 1, 1]);
    const taken = [...first, ...rest].flat() as string[];
    expect(taken.toSorted()).toEqual(jobs.map(({ body }) => body).toSorted());
    expect(codes).toEqual([0, 0, 0]);
  });

  it('may migrate at once', async () => {
    const file = await temporaryFile();
    const children = [1, 2].map(() => startSqlChild({ driver: 'sqlite', file }));
    const versions = await Promise.all(children.map((child) => child.ask('migrate')));
    expect(versions).toEqual([1, 1]);
    const backend = await openBackend({ connection: { driver: 'sqlite', file } });
    await backend.connect();
  });
});

describe('several MikroORMs of one process on one file', () => {
  it('neither stop the event loop nor refuse each other', async () => {
    const file = await temporaryFile();
    const orms = await Promise.all([openOrm(file), openOrm(file)]);
    await Promise.all(orms.map((orm) => migrateSqlQueue(orm)));
    const backends = await Promise.all(orms.map((orm) => openBackend({ orm })));
    const stores: Promise<readonly StoreOutcome[]>[] = [];
    for (let round = 0; round < 50; round += 1) {
      for (const backend of backends) stores.push(backend.store([newJob(), newJob()]));
    }
    const outcomes = (await Promise.all(stores)).flat();
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
    const batches = await Promise.all(backends.map((backend) => backend.reserve(['mail'], 200)));
    const taken = batches.flat().map(({ body }) => body);
    expect(taken).toHaveLength(200);
    expect(new Set(taken).size).toBe(200);
  });
});

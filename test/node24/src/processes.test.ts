// node processes.test.js <driver>: several processes, and several MikroORMs of one process, on one database.
import { migrateSqlQueue, sql } from '@kinetis/nestjs-queue/sql';
import { testBackendContext } from '@kinetis/nestjs-queue/testing';
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, beforeEach, describe, test } from 'node:test';
import { newDatabase, type TestDatabase } from './databases.js';
import { newJob } from './new-job.js';

const [driver = ''] = process.argv.slice(2);

void describe(`several at once on ${driver}`, () => {
  let database: TestDatabase;
  const opened: TestDatabase[] = [];
  beforeEach(async () => {
    database = await newDatabase(driver);
    opened.push(database);
  });
  after(async () => {
    for (const { drop } of opened) await drop();
  });

  void test('processes may migrate at once, and give each job to one of them', async (context) => {
    const script = new URL('./take-all.js', import.meta.url);
    const children = [1, 2, 3].map(() => fork(script, [JSON.stringify(database.connection)]));
    context.after(() => children.forEach((child) => child.kill('SIGKILL')));
    const versions = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
    assert.deepEqual(versions, [1, 1, 1]);

    const backend = await sql({ connection: database.connection })(testBackendContext());
    const jobs = Array.from({ length: 600 }, newJob);
    await backend.store(jobs);
    const answers = children.map((child) => once(child, 'message'));
    const ends = children.map((child) => once(child, 'exit'));
    for (const child of children) child.send('go');
    const taken = (await Promise.all(answers)).map(([bodies]) => bodies as string[]).flat();
    assert.deepEqual(taken.toSorted(), jobs.map(({ body }) => body).toSorted());
    assert.deepEqual(
      (await Promise.all(ends)).map(([code]) => code),
      [0, 0, 0],
    );
    await backend.close();
  });

  void test('MikroORMs of one process neither stop its event loop nor refuse each other', async () => {
    const orms = [await database.openOrm(), await database.openOrm()];
    await Promise.all(orms.map((orm) => migrateSqlQueue(orm)));
    const backends = await Promise.all(orms.map(async (orm) => sql({ orm })(testBackendContext())));
    const stores = Array.from({ length: 50 }, () =>
      backends.map((backend) => backend.store([newJob(), newJob()])),
    ).flat();
    const statuses = (await Promise.all(stores)).flat().map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)], ['applied']);
    const batches = await Promise.all(backends.map((backend) => backend.reserve(['mail'], 200)));
    assert.equal(new Set(batches.flat().map(({ body }) => body)).size, 200);
    for (const backend of backends) await backend.close();
    for (const orm of orms) await orm.close(true);
  });
});

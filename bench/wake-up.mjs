// How long an idle worker of another process takes from a push to the start of handle().
//   npm run build:lib && npm run bench -- wake-up [--database=postgres] [--pushes=200] [--json]
//   --deaf    the connection that listens is ended before each push: the job is then found by looking
// The database is one of this program's own, made on the server of KINETIS_TEST_POSTGRES_URL or of this machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrateSqlQueue, sql } from '../dist/lib/sql.js';
import { applicationOver, Ping } from './support/ping-application.mjs';

const { values: flags } = parseArgs({
  options: {
    database: { type: 'string', default: 'postgres' },
    pushes: { type: 'string', default: '200' },
    deaf: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  console.log('Usage: npm run bench -- wake-up [--pushes=200] [--deaf] [--json]');
  process.exit(0);
}
if (flags.database !== 'postgres') throw new Error(`Expected --database=postgres, came ${flags.database}.`);

const server = process.env.KINETIS_TEST_POSTGRES_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const admin = await MikroORM.init({
  clientUrl: server,
  dbName: 'postgres',
  entities: [],
  discovery: { warnWhenNoEntities: false },
});
const execute = (text) => admin.em.getConnection().execute(text);
const database = `kinetis_test_${randomBytes(6).toString('hex')}`;
await execute(`create database ${database}`);
const connection = { driver: 'postgresql', url: server, database };
try {
  await migrateSqlQueue(connection);
  const millis = await measure();
  report(millis.toSorted((a, b) => a - b));
} finally {
  await execute(`drop database ${database} with (force)`);
  await admin.close();
}

async function measure() {
  const worker = fork(fileURLToPath(new URL('./support/ping-worker.mjs', import.meta.url)), [
    JSON.stringify(connection),
  ]);
  await once(worker, 'message');
  const { app, queue } = await applicationOver(sql({ connection }));
  const millis = [];
  // The first connect, prepare their statements and begin to listen.
  for (let push = -10; push < Number(flags.pushes); push += 1) {
    await pause(50 + Math.random() * 100);
    if (flags.deaf) await deafen();
    const handled = once(worker, 'message');
    const pushedAt = process.hrtime.bigint();
    await queue.push(new Ping(push));
    const [startedAt] = await handled;
    if (push >= 0) millis.push(Number(BigInt(startedAt) - pushedAt) / 1e6);
  }
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  await app.close();
  return millis;
}

async function deafen() {
  await execute(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and query like 'listen %'`,
  );
}

function report(millis) {
  const at = (share) => millis[Math.min(millis.length - 1, Math.floor(share * millis.length))];
  const result = {
    pushes: millis.length,
    listening: !flags.deaf,
    medianMs: at(0.5),
    p90Ms: at(0.9),
    maxMs: at(1),
  };
  if (flags.json) console.log(JSON.stringify(result));
  else {
    const [median, p90, max] = [result.medianMs, result.p90Ms, result.maxMs].map((value) => value.toFixed(2));
    console.log(
      `from push() to handle() in an idle worker, ${result.pushes} pushes, ${flags.deaf ? 'without' : 'with'} hints:`,
    );
    console.log(`median ${median} ms, p90 ${p90} ms, longest ${max} ms`);
  }
}

// How long an idle worker of another process takes from a push to the start of handle().
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applicationOver, Ping } from './support/ping-application.mjs';
import { backendOf } from './support/ping-backend.mjs';
import { servers } from './support/wake-up-servers.mjs';

const USAGE = `Usage: npm run bench -- wake-up [--server=postgres|redis] [--pushes=200] [--deaf] [--json]
  --deaf    the connection that listens is ended before each push (PostgreSQL): the job is then found by looking
The database or prefix is the program's own, on the server of KINETIS_TEST_POSTGRES_URL or KINETIS_TEST_REDIS_URL, or of
this machine.`;

const { values: flags } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres' },
    pushes: { type: 'string', default: '200' },
    deaf: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!Object.hasOwn(servers, flags.server) || !(Number(flags.pushes) > 0)) {
  console.error(USAGE);
  process.exit(64);
}
const server = await servers[flags.server]();
try {
  if (flags.deaf && server.deafen === null) throw new Error(`--deaf: not on ${flags.server}.`);
  report((await measure()).toSorted((a, b) => a - b));
} finally {
  await server.close();
}

async function measure() {
  const worker = fork(fileURLToPath(new URL('./support/ping-worker.mjs', import.meta.url)), [
    JSON.stringify(server.backend),
  ]);
  await once(worker, 'message');
  const { app, queue } = await applicationOver(await backendOf(server.backend));
  const millis = [];
  // The first connect, prepare their statements and begin to listen.
  for (let push = -10; push < Number(flags.pushes); push += 1) {
    await pause(50 + Math.random() * 100);
    if (flags.deaf) await server.deafen();
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

function report(millis) {
  const at = (share) => millis[Math.min(millis.length - 1, Math.floor(share * millis.length))];
  const result = {
    server: flags.server,
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
      `from push() to handle() in an idle worker, ${flags.server}, ${result.pushes} pushes, ${flags.deaf ? 'without' : 'with'} hints:`,
    );
    console.log(`median ${median} ms, p90 ${p90} ms, longest ${max} ms`);
  }
}

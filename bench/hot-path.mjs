// What one delivery costs on the memory backend: how often each thing happens, never how long it takes.
//   npm run build:lib && node bench/hot-path.mjs
//   --allocations    also the functions that allocate most, from a sampling heap profile
//   --json           the counts as data
//   --lib=<folder>   another build than dist/lib, to compare two
// `node --cpu-prof bench/hot-path.mjs` writes a CPU profile of the same run.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countCalls } from './support/count-calls.mjs';
import { allocationsByFunction, allocatedBytes } from './support/allocations.mjs';
import { countResources } from './support/count-resources.mjs';

const { values: flags } = parseArgs({
  options: {
    allocations: { type: 'boolean' },
    json: { type: 'boolean' },
    lib: { type: 'string', default: 'dist/lib' },
    probe: { type: 'string' },
  },
});

/** The first deliveries warm up; at both ends of what is measured a whole batch of 100 has just begun. */
const CONCURRENCY = 100;
const WARM_UP = 20 * CONCURRENCY;
const MEASURED = 100 * CONCURRENCY;

const PROBES = {
  calls: countCalls,
  resources: countResources,
  bytes: allocatedBytes,
  functions: allocationsByFunction,
};

if (flags.probe === undefined) report();
else process.stdout.write(JSON.stringify(await measure(PROBES[flags.probe])));

/** Runs jobs through a real application and its worker; the probe sees those after the warm-up. */
async function measure(makeProbe) {
  const probe = makeProbe();
  const { promise, resolve: finish, reject: refuse } = withResolvers();
  let handled = 0;
  const onHandled = () => {
    handled += 1;
    try {
      if (handled === WARM_UP) probe.start();
      if (handled === WARM_UP + MEASURED) finish(probe.stop());
    } catch (error) {
      // Thrown on, it would be the job's failure, and this program would wait for ever.
      refuse(error);
    }
  };
  // Imported after the probe was made, which replaces what the library calls.
  const { startApplication } = await import('./support/start-application.mjs');
  const lib = await import(pathToFileURL(resolve(flags.lib, 'index.js')));
  const jobs = WARM_UP + MEASURED + CONCURRENCY;
  const app = await startApplication(lib, { jobs, concurrency: CONCURRENCY, onHandled });
  const counts = await promise;
  await app.close();
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / MEASURED]));
}

/** As `Promise.withResolvers()` of later versions of Node. */
function withResolvers() {
  const made = {};
  made.promise = new Promise((resolved, rejected) => {
    made.resolve = resolved;
    made.reject = rejected;
  });
  return made;
}

/** Each probe has a process of its own, so that none counts what another does. */
function report() {
  const counts = { ...probed('calls'), ...probed('resources'), ...probed('bytes') };
  if (flags.json) return console.log(JSON.stringify(counts, null, 2));
  console.log(`one delivery on memory, of ${MEASURED} at concurrency ${CONCURRENCY}:`);
  for (const [name, count] of Object.entries(counts)) console.log(`${format(count).padStart(9)}  ${name}`);
  if (!flags.allocations) return;
  console.log('\nbytes allocated in one delivery, by function:');
  for (const [name, bytes] of Object.entries(probed('functions'))) {
    console.log(`${format(bytes).padStart(9)}  ${name}`);
  }
}

function probed(probe) {
  const own = fileURLToPath(import.meta.url);
  const node = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512', '--no-warnings'];
  const args = [...node, own, `--probe=${probe}`, `--lib=${flags.lib}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`Expected the probe "${probe}" to end with 0, came ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function format(count) {
  return count >= 100 ? Math.round(count).toString() : count.toFixed(2);
}

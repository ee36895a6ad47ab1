// Whether a reservation on the sql backend takes longer where more jobs wait.
//   npm run build:lib && npm run bench -- sql-depth [--database=postgres | mariadb | sqlite] [--json]
import { parseArgs } from 'node:util';
import { sql } from '../dist/lib/sql.js';
import { testBackendContext } from '../dist/lib/testing.js';
import { DATABASES, openDepthDatabases, QUEUES } from './support/depth-databases.mjs';

const HELP = `Usage: npm run bench -- sql-depth [options]

Measures reserve() of the sql backend over 10 thousand, 100 thousand and 1 million waiting jobs, half of them delayed, in
five queues, one by one and in batches of 50. Each reservation is given back, so that the depth stays. The rounds of all
depths are interleaved, so that what disturbs the machine disturbs each of them alike.

  --database=NAME   ${DATABASES.join(', ')} (postgres)
  --depths=LIST     waiting jobs, the smallest first (10000,100000,1000000)
  --batches=LIST    jobs of a reservation (1,50)
  --rounds=N        measured reservations of each kind (200)
  --json            the result as JSON; what it is doing goes to standard error

The databases are its own, on the server of KINETIS_TEST_POSTGRES_URL or KINETIS_TEST_MARIADB_URL, or of this machine; it
drops them at the end.`;

/** The median at the largest depth may be this many times the one at the smallest. */
const MOST = 2;

const settings = settingsOrExit();
if (settings === null) console.log(HELP);
else await main(settings);

function settingsOrExit() {
  try {
    return settingsOf();
  } catch (error) {
    console.error(`${error.message} See --help.`);
    return process.exit(64);
  }
}

function settingsOf() {
  const { values: flags } = parseArgs({
    options: {
      database: { type: 'string', default: 'postgres' },
      depths: { type: 'string', default: '10000,100000,1000000' },
      batches: { type: 'string', default: '1,50' },
      rounds: { type: 'string', default: '200' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) return null;
  if (!DATABASES.includes(flags.database)) {
    throw new Error(`--database: expected one of ${DATABASES.join(', ')}, came "${flags.database}".`);
  }
  const counts = (name) => flags[name].split(',').map((text) => count(name, text));
  return {
    database: flags.database,
    depths: counts('depths'),
    batches: counts('batches'),
    rounds: count('rounds', flags.rounds),
    json: flags.json,
  };
}

function count(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${name}: expected a whole number of 1 or more, came "${text}".`);
}

async function main({ database, depths, batches, rounds, json }) {
  // Interrupted, it still drops what it made.
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (interrupted = true));
  const progress = (text) => {
    if (interrupted) throw new Error('Interrupted: what was made is dropped.');
    process.stderr.write(`${text}\n`);
  };
  const { version, opened, close } = await openDepthDatabases({ database, depths, progress });
  const backends = [];
  try {
    for (const { depth, connection } of opened) {
      backends.push({ depth, backend: await sql({ connection })(testBackendContext()) });
    }
    progress(`measuring ${rounds} rounds`);
    const cases = await measure({ backends, batches, rounds, isOver: () => interrupted });
    progress('measured');
    const result = { database, version, rounds, cases, ratios: ratiosOf(cases, batches) };
    if (json) console.log(JSON.stringify(result, null, 2));
    else report(result);
  } finally {
    for (const { backend } of backends) await backend.close();
    await close();
  }
}

/** Milliseconds of each reservation, by depth and batch. */
async function measure({ backends, batches, rounds, isOver }) {
  const cases = batches.flatMap((batch) =>
    backends.map(({ depth, backend }) => ({ batch, depth, backend, millis: [] })),
  );
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds && !isOver(); round += 1) {
    const queues = [...QUEUES.slice(round % 5), ...QUEUES.slice(0, round % 5)];
    // Another one begins each time, so that none always follows the same neighbour.
    for (let place = 0; place < cases.length; place += 1) {
      const one = cases[(place + round + warmUp) % cases.length];
      const took = await reserveOnce(one, queues);
      if (round >= 0) one.millis.push(took);
    }
  }
  return cases.map(({ batch, depth, millis }) => {
    const sorted = millis.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return { batch, depth, medianMs: at(0.5), p90Ms: at(0.9), maxMs: at(1) };
  });
}

async function reserveOnce({ backend, batch }, queues) {
  const startedAt = performance.now();
  const items = await backend.reserve(queues, batch);
  const took = performance.now() - startedAt;
  if (items.length !== batch)
    throw new Error(`Expected ${batch} jobs of a reservation, came ${items.length}.`);
  const outcomes = await backend.settle(
    items.map(({ receipt }) => ({ operation: 'release', receipt, changes: {}, delaySeconds: 0 })),
  );
  if (outcomes.some(({ status }) => status !== 'applied')) {
    throw new Error('Expected each job to be given back, came another outcome.');
  }
  return took;
}

function ratiosOf(cases, batches) {
  return batches.map((batch) => {
    const own = cases.filter((one) => one.batch === batch);
    const ratio = own.at(-1).medianMs / own[0].medianMs;
    return { batch, from: own[0].depth, to: own.at(-1).depth, ratio, holds: ratio <= MOST };
  });
}

function report({ database, version, rounds, cases, ratios }) {
  console.log(`reserve() on ${database} ${version}, ${rounds} of each, milliseconds:`);
  console.log('  batch    waiting   median      p90      max');
  for (const { batch, depth, medianMs, p90Ms, maxMs } of cases) {
    const times = [medianMs, p90Ms, maxMs].map((value) => value.toFixed(2).padStart(9)).join('');
    console.log(`${String(batch).padStart(7)}${String(depth).padStart(11)}${times}`);
  }
  for (const { batch, from, to, ratio, holds } of ratios) {
    const verdict = holds ? 'holds' : 'does not hold';
    console.log(`batch ${batch}: ${to} to ${from} is ${ratio.toFixed(2)}; at most ${MOST} ${verdict}`);
  }
}

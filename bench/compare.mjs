// Measures this package against the libraries that one would take instead, on the same server, in one run:
// npm run bench -- <backend>
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { comparisons, node24 } from './compare/contestants.mjs';
import { summarize } from './compare/figures.mjs';
import { tableOf } from './compare/report.mjs';
import { measureOnce } from './compare/rounds.mjs';

const names = Object.keys(comparisons);
const USAGE = `Usage: npm run bench -- <${names.join(' | ')}> [options]
  --peers=<a,b>    only these of the peers (none: none)
  --only=<a,b>     only these measurements: enqueue, drain, latency, or one of them, such as drain.c100
  --rounds=3       how often each contestant is measured, in turn
  --seconds=1.5    how long one measurement counts, after its warm-up of a third
  --samples=200    pushes to an idle worker in a round
  --bytes=200      length of a payload
  --json           the figures as JSON, nothing else
Peers are installed by: npm ci --prefix bench/peers && npm ci --prefix bench/runtime`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    samples: { type: 'string', default: '200' },
    bytes: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [backend] = positionals;

function refuse(message) {
  console.error(`${message}\n${USAGE}`);
  process.exit(64);
}
if (flags.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!names.includes(backend)) refuse(`Expected a backend, came ${backend ?? 'none'}.`);
for (const name of ['rounds', 'seconds', 'samples', 'bytes']) {
  if (!(Number(flags[name]) > 0)) refuse(`Expected --${name} to be a number above 0, came "${flags[name]}".`);
}

const comparison = comparisons[backend];
const wanted = flags.peers?.split(',').filter((name) => name !== 'none');
const known = comparison.contestants.filter(({ kind }) => kind === 'peer').map(({ name }) => name);
for (const name of wanted ?? []) {
  if (!known.includes(name))
    refuse(`Expected --peers to be of ${known.join(', ') || 'none'}, came "${name}".`);
}
const node = comparison.needsNode24 === true ? node24 : process.execPath;
for (const path of [new URL('peers/node_modules', import.meta.url), ...(node === node24 ? [node24] : [])]) {
  if (!existsSync(path)) refuse('The peers are not installed.');
}
const contestants = comparison.contestants
  .filter(({ kind, name }) => kind !== 'peer' || wanted === undefined || wanted.includes(name))
  .map((contestant) => ({ ...contestant, node }));

const effort = {
  warmMs: (Number(flags.seconds) * 1_000) / 3,
  ms: Number(flags.seconds) * 1_000,
  samples: Number(flags.samples),
  bytes: Number(flags.bytes),
};
const { openPlace } = await import(`./compare/places/${backend}.mjs`);
const place = await openPlace();
const rounds = [];
try {
  for (let round = 1; round <= Number(flags.rounds); round += 1) {
    const figures = {};
    for (const contestant of contestants) {
      if (!flags.json) process.stderr.write(`round ${round} of ${flags.rounds}: ${contestant.name}\n`);
      figures[contestant.name] = await measureOnce(
        place,
        contestant,
        comparison,
        effort,
        flags.only?.split(',') ?? null,
      );
    }
    rounds.push(figures);
  }
} finally {
  await place.close();
}

const summary = summarize(rounds, contestants);
const machine = `${cpus().length} × ${cpus()[0].model}, Node ${node === node24 ? '24' : process.versions.node}`;
if (flags.json) {
  console.log(
    JSON.stringify({
      backend,
      machine,
      server: place.settings,
      bytes: effort.bytes,
      rounds: rounds.length,
      ...summary,
    }),
  );
} else {
  console.log(`${backend}: ${machine}; ${place.settings}`);
  console.log(
    `${rounds.length} rounds, payloads of ${effort.bytes} B; medians, ratios with their smallest and largest`,
  );
  console.log(tableOf(summary));
}

// Whether anything grows that should not while the whole product works for a long time, and whether every job is done.
//   npm run build:lib && npm run soak -- --minutes 30 [--backend redis | postgres | mariadb] [--json]
import { existsSync } from 'node:fs';
import { HELP, settingsOf } from './soak/settings.mjs';

const settings = settingsOrExit();
if (settings === null) console.log(HELP);
else if (!existsSync(new URL('../dist/lib/index.js', import.meta.url))) {
  refuse('Expected the library in dist/lib, came none: run `npm run build:lib` first.');
} else await main(settings).catch(broken);

function settingsOrExit() {
  try {
    return settingsOf(process.argv.slice(2));
  } catch (error) {
    return refuse(`${error.message} See --help.`);
  }
}

function refuse(message) {
  console.error(message);
  return process.exit(64);
}

/** Not what a run found, but why there is none: a server that is not there, a worker that ended. */
function broken(error) {
  console.error(error);
  process.exit(1);
}

async function main({ backends, json, ...run }) {
  const { soak } = await import('./soak/run-soak.mjs');
  const { codeOf, textOf } = await import('./soak/report.mjs');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const results = [];
  for (const backend of backends) {
    if (stop.signal.aborted) break;
    results.push(await soak({ backend, ...run, signal: stop.signal }));
  }
  const text = textOf(results);
  console.log(json ? JSON.stringify({ results, text }, null, 2) : text);
  // What is left open by a run that failed must not keep the verdict back.
  process.exit(codeOf(results));
}

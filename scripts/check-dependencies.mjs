// npm run check:dependencies: licences of everything in the lock file, and known weaknesses of what an installation brings.
// One line a check, then "N passed, N failed, N not checked". KINETIS_AUDIT=require: an audit that nobody
// answers fails. --offline asks nobody.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, run } from './run.mjs';

/** Ask for no more than that their notice is kept. */
const ALLOWED = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
];

/** Other licences, each of a package that is not in the tarball, and why it may stay. */
const UNUSUAL = {
  mariadb: [
    'LGPL-2.1-or-later',
    'the driver of @mikro-orm/mariadb: an application that wants it installs it, unchanged',
  ],
  lightningcss: ['MPL-2.0', 'of vite, which only runs the tests'],
};

/** The licence that a package names, in its older form too; null where it names none. */
export function licenceOf(entry, manifest = {}) {
  const named = entry.license ?? manifest.license ?? manifest.licenses;
  if (Array.isArray(named)) return named.map(({ type }) => type).join(' OR ') || null;
  return named?.type ?? named ?? null;
}

/** Whether an expression of SPDX is satisfied by licences of the list: one side of OR, both of AND. */
export function isAllowed(licence, allowed = ALLOWED) {
  if (licence === null) return false;
  const plain = licence.replaceAll(/[()]/g, ' ').trim();
  return plain
    .split(/\s+OR\s+/)
    .some((side) => side.split(/\s+AND\s+/).every((one) => allowed.includes(one.trim())));
}

/** Where a dependency of the package at `from` lies, as Node.js looks for it; null where it is not installed. */
function placeOf(packages, from, name) {
  for (let folder = from; ;) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
    const up = folder.lastIndexOf('/node_modules/');
    folder = up === -1 ? '' : folder.slice(0, up);
  }
}

/** Everything that these packages bring, themselves included, and which of them are not in the lock file. */
export function closureOf(packages, names) {
  const places = new Set();
  const missing = names.filter((name) => placeOf(packages, '', name) === null);
  const pending = names.map((name) => placeOf(packages, '', name)).filter((place) => place !== null);
  while (pending.length > 0) {
    const place = pending.pop();
    if (places.has(place)) continue;
    places.add(place);
    const { dependencies = {}, optionalDependencies = {} } = packages[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeOf(packages, place, name);
      if (found !== null) pending.push(found);
    }
  }
  return { places: [...places].toSorted(), missing };
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function manifestOf(place) {
  const file = join(root, place, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** What is wrong with the licences of these places, one line each. */
export function licenceTroubles(packages, places, unusual = UNUSUAL) {
  return places.flatMap((place) => {
    const licence = licenceOf(packages[place], manifestOf(place));
    const [known] =
      unusual[nameOf(place)] ??
      unusual[nameOf(place).replace(/-(android|darwin|freebsd|linux|win32)-.*/, '')] ??
      [];
    return isAllowed(licence) || (licence !== null && licence === known)
      ? []
      : [`${nameOf(place)}: ${licence ?? 'none named'}`];
  });
}

/** What `npm audit` said, or that nobody answered it. */
export function verdictOf({ code, output }) {
  let report = {};
  try {
    report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return { status: 'not checked', why: 'npm audit answered what is no report' };
  }
  if (report.metadata?.vulnerabilities === undefined) {
    return {
      status: 'not checked',
      why: `the registry does not answer audits (${report.message ?? report.error?.summary ?? 'no reason given'})`,
    };
  }
  const { high = 0, critical = 0 } = report.metadata.vulnerabilities;
  if (code === 0 && high + critical === 0)
    return { status: 'passed', why: `${report.metadata.dependencies?.total ?? 'all'} packages` };
  return {
    status: 'failed',
    why: `${high} high, ${critical} critical: ${Object.keys(report.vulnerabilities ?? {}).join(', ')}`,
  };
}

async function checkDependencies() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const count = { passed: 0, failed: 0, 'not checked': 0 };
  const say = (status, what, why) => {
    count[status] += 1;
    console.log(
      `${{ passed: 'ok', failed: 'FAILED', 'not checked': 'NOT CHECKED' }[status].padEnd(12)}${what}: ${why}`,
    );
  };
  const licences = (what, places, unusual) => {
    const troubles = licenceTroubles(packages, places, unusual);
    say(
      troubles.length === 0 ? 'passed' : 'failed',
      what,
      troubles.join('; ') || `${places.length} packages`,
    );
  };
  const runtime = closureOf(packages, Object.keys(manifest.dependencies));
  const peers = closureOf(packages, Object.keys(manifest.peerDependencies));
  licences('licences of the run-time dependencies', runtime.places, {});
  licences('licences of the peers and what they bring', peers.places);
  licences(
    'licences of everything in the lock file',
    Object.keys(packages).filter((place) => place !== ''),
  );
  for (const name of [...runtime.missing, ...peers.missing]) {
    say('not checked', `licence of ${name}`, 'it is not in the lock file');
  }
  for (const [name, [licence, why]] of Object.entries(UNUSUAL))
    console.log(`${'unusual'.padEnd(12)}${name}: ${licence}, ${why}`);
  const offline = { code: 1, output: '{"message":"--offline"}' };
  const isOffline = process.argv.includes('--offline');
  const audit = isOffline
    ? offline
    : await run('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], { capture: true });
  const { status, why } = verdictOf(audit);
  const counts = status === 'not checked' && process.env.KINETIS_AUDIT === 'require' ? 'failed' : status;
  say(counts, 'known weaknesses of the run-time dependencies (npm audit)', why);
  console.log(`${count.passed} passed, ${count.failed} failed, ${count['not checked']} not checked`);
  process.exitCode = count.failed > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await checkDependencies();

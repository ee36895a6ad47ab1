// npm run test:node24: the packed tarball with MikroORM 7 on Node 24, in a folder outside of the project.
// Two lines a part, then "N passed, N failed". A server that is not there is skipped; with KINETIS_TEST_REQUIRE=all
// that fails.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLine } from './count-results.mjs';
import { pack } from './package/pack.mjs';
import { binOf, root, run, runNode } from './run.mjs';
import { findBackends, testBackends } from './test-backends.mjs';

/** The Node that the leg runs on, from the npm registry: called by its path, so that nothing else runs on it. */
const NODE = 'node@24';

/** What runs on each backend: a test file and its arguments. */
const parts = [
  ['sqlite', 'conformance', 'sqlite', 'orm'],
  ['sqlite', 'conformance', 'sqlite', 'connection'],
  ['sqlite', 'application', 'sqlite'],
  ['sqlite', 'processes', 'sqlite'],
  ['postgres', 'conformance', 'postgresql', 'orm'],
  ['postgres', 'conformance', 'postgresql', 'connection'],
  ['postgres', 'application', 'postgresql'],
  ['postgres', 'processes', 'postgresql'],
  ['postgres', 'wake-up'],
  ['mariadb', 'conformance', 'mariadb', 'orm'],
  ['mariadb', 'conformance', 'mariadb', 'connection'],
  ['mariadb', 'application', 'mariadb'],
  ['mariadb', 'processes', 'mariadb'],
  ['mariadb', 'application', 'mysql'],
].map(([backend, file, ...args]) => ({ backend, file, args }));

async function timed(what, body) {
  const start = performance.now();
  const answer = await body();
  console.log(`${what}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  return answer;
}

async function must(what, command, args, cwd) {
  const { code, output } = await run(command, args, { cwd, capture: true });
  if (code !== 0) throw new Error(`${what} failed with ${code}:\n${output.trimEnd().slice(-4_000)}`);
  return output;
}

/** Installs Node, the tarball and what the application needs; answers where, and the path of Node. */
async function install(folder) {
  const { tarball } = await pack(folder);
  const [runtime, place] = [join(folder, 'runtime'), join(folder, 'application')];
  await mkdir(runtime);
  await cp(join(root, 'test/node24'), place, { recursive: true });
  const npm = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await must('npm install of Node', 'npm', [...npm, '--prefix', runtime, NODE], runtime);
  await must('npm install', 'npm', [...npm, tarball], place);
  const node = join(runtime, 'node_modules/node/bin/node');
  return { place, node, version: (await must('node', node, ['--version'], place)).trim() };
}

const failedTests = /^ *not ok (?:.|\n)*?^ *\.\.\.$/gm;
const numberOf = (word, report) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(report)?.[1] ?? 0);

/** Runs one part; answers how many of its tests passed and failed. A part that ended without counting has failed. */
async function runPart({ file, args }, { place, node }) {
  const { code, output } = await run(node, ['--test-reporter=tap', `out/${file}.test.js`, ...args], {
    cwd: place,
    capture: true,
  });
  const failed = numberOf('fail', output) + numberOf('cancelled', output);
  const count = { passed: numberOf('pass', output), failed };
  if (count.failed > 0) console.log((output.match(failedTests) ?? []).join('\n'));
  else if (code !== 0 || count.passed === 0) {
    console.log(output.trimEnd().slice(-4_000));
    count.failed = 1;
  }
  return count;
}

async function checkParts(installed) {
  const { present, absent } = await findBackends(testBackends.filter(({ name }) => name !== 'memory'));
  for (const { name, missing } of absent) console.log(`skipped backend ${name}: ${missing}`);
  const count = { passed: 0, failed: 0, skipped: absent.length };
  for (const part of parts.filter(({ backend }) => present.includes(backend))) {
    const title = [part.file, ...part.args].join(' ');
    const { passed, failed } = await timed(title, () => runPart(part, installed));
    console.log(`  ${passed} passed, ${failed} failed`);
    count.passed += passed;
    count.failed += failed;
  }
  return count;
}

/** Runs the whole leg against the build in dist/lib. Answers how many tests passed, failed and were skipped. */
export async function checkNode24() {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-node24-'));
  try {
    const installed = await timed('pack and install', () => install(folder));
    console.log(`Node ${installed.version}`);
    await timed('tsc', () =>
      must('tsc', process.execPath, [binOf('typescript', 'tsc'), '-p', '.'], installed.place),
    );
    return await checkParts(installed);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { code } = await runNode(['scripts/build-lib.mjs']);
  const count = code === 0 ? await checkNode24() : { passed: 0, failed: 1, skipped: 0 };
  const { line, exitCode } = lastLine(count, process.env.KINETIS_TEST_REQUIRE === 'all');
  console.log(line);
  process.exitCode = exitCode;
}

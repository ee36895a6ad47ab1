// npm test: builds what the tests run, finds the servers, runs vitest, and counts.
//   --suite=<folder of test/>    only that folder, for instance conformance
//   --backend=<name>             only that backend
//   --with-package               the checks of the packed tarball too
// Everything else goes to vitest: npm test -- test/jobs -t 'a name'
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackage } from './check-package.mjs';
import { countResults, lastLine } from './count-results.mjs';
import { binOf, root, runNode } from './run.mjs';
import { findBackends, testBackends } from './test-backends.mjs';

const resultsFile = join(root, 'build/test-results.json');
const fixtures = 'test/support/apps';
const options = {
  suite: { type: 'string' },
  backend: { type: 'string' },
  'with-package': { type: 'boolean' },
};

/** Splits our own options from what vitest is to get. */
function readArguments(argv) {
  const isOwn = (argument) =>
    Object.keys(options).some((name) => new RegExp(`^--${name}(=|$)`).test(argument));
  const { values } = parseArgs({ args: argv.filter(isOwn), options });
  const names = testBackends.map(({ name }) => name);
  if (values.backend !== undefined && !names.includes(values.backend)) {
    throw new Error(`Expected --backend to be one of ${names.join(', ')}; got "${values.backend}".`);
  }
  if (values.suite !== undefined && !existsSync(join(root, 'test', values.suite))) {
    throw new Error(`Expected --suite to be a folder of test/; got "${values.suite}".`);
  }
  if (values.suite === 'conformance' && values.backend !== undefined) {
    const file = `test/conformance/${values.backend}.test.ts`;
    if (!existsSync(join(root, file))) throw new Error(`The suite does not run on ${values.backend} yet.`);
  }
  return { ...values, rest: argv.filter((argument) => !isOwn(argument)) };
}

const holdsSources = (folder) => readdirSync(join(root, folder)).some((file) => file.endsWith('.ts'));

/** Builds what process tests start; answers what failed, or null. The conformance suite starts no process. */
async function build(suite) {
  const steps = [
    ['The library', 'scripts/build-lib.mjs'],
    ['The sample', 'scripts/build-sample.mjs'],
    ['The fixture applications', binOf('typescript', 'tsc'), '-p', fixtures],
  ];
  for (const [what, ...args] of suite === 'conformance' ? steps.slice(0, 1) : steps) {
    if (args.includes(fixtures) && !holdsSources(fixtures)) continue;
    const { code } = await runNode(args);
    if (code !== 0) return `${what} did not build, so no test ran.`;
  }
  return null;
}

/** Names the backends that are left out, and answers those that are tested and how many are not. */
async function chooseBackends(wanted) {
  const asked = testBackends.filter(({ name }) => wanted === undefined || name === wanted);
  const { present, absent } = await findBackends(asked);
  for (const { name, missing } of absent) console.log(`skipped backend ${name}: ${missing}`);
  console.log(`backends under test: ${present.join(', ') || 'none'}`);
  return { present, absent: absent.length };
}

/** File filters and exclusions: the conformance suite has one file a backend, named after it. */
function vitestArguments({ suite, backend, rest }, present) {
  const folder = suite === undefined ? null : `test/${suite}/`;
  const own = `${folder}${backend}.test.ts`;
  const filter = folder !== null && backend !== undefined && existsSync(join(root, own)) ? own : folder;
  const left = testBackends.filter(({ name }) => !present.includes(name));
  return [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultsFile}`,
    ...left.flatMap(({ name }) => ['--exclude', `test/conformance/${name}.test.ts`]),
    ...(filter === null ? [] : [filter]),
    ...rest,
  ];
}

/** Runs vitest and counts. */
async function runVitest(args, present) {
  await mkdir(join(root, 'build'), { recursive: true });
  await rm(resultsFile, { force: true });
  const { code } = await runNode([binOf('vitest'), ...args], {
    env: { ...process.env, KINETIS_TEST_BACKENDS: present.join(',') },
  });
  if (!existsSync(resultsFile)) return { passed: 0, failed: 1, skipped: 0 };
  return countResults(JSON.parse(await readFile(resultsFile, 'utf8')), code);
}

async function main() {
  const chosen = readArguments(process.argv.slice(2));
  const broken = await build(chosen.suite);
  if (broken !== null) {
    console.error(broken);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const { present, absent } = await chooseBackends(chosen.backend);
  const count = await runVitest(vitestArguments(chosen, present), present);
  count.skipped += absent;
  if (count.passed + count.failed === 0) console.error('No test ran: does the filter name a file?');
  else if (chosen['with-package']) {
    const checks = await checkPackage();
    count.passed += checks.passed;
    count.failed += checks.failed;
  }
  if (chosen.suite === 'conformance') {
    console.log(`conformance on ${present.join(', ')}: ${count.passed + count.failed} cases`);
  }
  return count;
}

try {
  const { line, exitCode } = lastLine(await main(), process.env.KINETIS_TEST_REQUIRE === 'all');
  console.log(line);
  process.exitCode = exitCode;
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

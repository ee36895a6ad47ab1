// npm run test:faults: builds what fault trials run, finds the servers, and runs the matrix. --help shows the options.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { binOf, root, runNode } from './run.mjs';
import { findBackends } from './test-backends.mjs';

const argv = process.argv.slice(2);
const isHelp = argv.includes('--help');

/** Answers what failed, or null. */
async function build() {
  const steps = [
    ['The library', 'scripts/build-lib.mjs'],
    ['The application of the trials', binOf('typescript', 'tsc'), '-p', 'test/faults/app/tsconfig.json'],
    ['The bundle of that application', 'scripts/bundle-fault-app.mjs'],
  ];
  for (const [what, ...args] of steps) {
    const { code } = await runNode(args);
    if (code !== 0) return `${what} did not build, so no trial ran.`;
  }
  return null;
}

/** Why a backend cannot be tried here, by name. */
async function missingBackends() {
  const { absent } = await findBackends();
  for (const { name, missing } of absent) console.log(`skipped ${name}: ${missing}`);
  return new Map(absent.map(({ name, missing }) => [name, missing]));
}

try {
  const broken = isHelp ? null : await build();
  if (broken !== null) throw new Error(broken);
  const missing = isHelp ? new Map() : await missingBackends();
  if (missing.size > 0 && process.env.KINETIS_TEST_REQUIRE === 'all') {
    throw new Error('KINETIS_TEST_REQUIRE=all: expected every backend to be there.');
  }
  // The sources of the trials run as they are; what they try is the built library.
  await import(pathToFileURL(join(root, 'test/support/typescript-loader.mjs')).href);
  const { main } = await import(pathToFileURL(join(root, 'test/faults/matrix/main.ts')).href);
  process.exitCode = await main(argv, missing);
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

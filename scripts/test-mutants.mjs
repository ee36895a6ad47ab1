// npm run test:mutants: breaks the library on purpose, in many ways, and fails where neither suite nor tests notice.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lastLine } from './count-results.mjs';
import { root, runNode } from './run.mjs';
import { findBackends } from './test-backends.mjs';

const usage = `Usage: npm run test:mutants [-- options]
  --only=<text>   only the mutants whose description matches this regular expression
  --list          names the mutants, and runs none
  --whole-suite   runs the whole conformance suite on each, and says which cases object
  --help          shows this

The library is compiled into build/mutants/, each mutant with its change, and the cases and tests that are to catch it
run against that. Every one of them has to pass on the library as it is. The last line counts both; a mutant that
survives is a failure.`;

const options = {
  only: { type: 'string', default: '' },
  list: { type: 'boolean', default: false },
  'whole-suite': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const countsFile = join(root, `build/mutants/counts-${process.pid}.json`);

async function main() {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(usage);
  const { present, absent } = await findBackends();
  for (const { name, missing } of absent) console.log(`skipped backend ${name}: ${missing}`);
  await mkdir(join(root, 'build/mutants'), { recursive: true });
  await rm(countsFile, { force: true });
  const flags = ['list', 'whole-suite'].filter((name) => values[name]).map((name) => `--${name}`);
  const { code } = await runNode(
    [
      '--import',
      './test/support/typescript-loader.mjs',
      'test/faults/mutants/run.ts',
      `--only=${values.only}`,
      `--counts=${countsFile}`,
      ...flags,
    ],
    { env: { ...process.env, KINETIS_TEST_BACKENDS: present.join(',') } },
  );
  if (flags.length > 0) return (process.exitCode = code);
  const counts = existsSync(countsFile)
    ? JSON.parse(await readFile(countsFile, 'utf8'))
    : { passed: 0, failed: 1, skipped: 0 };
  await rm(countsFile, { force: true });
  const { line, exitCode } = lastLine(counts, process.env.KINETIS_TEST_REQUIRE === 'all');
  console.log(line);
  process.exitCode = exitCode;
}

try {
  await main();
} catch (error) {
  console.error(`${error.message}\n${usage}`);
  console.log('0 passed, 1 failed');
  process.exitCode = 64;
}

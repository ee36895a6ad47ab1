// npm run test:package: holds the packed tarball to what it promises. One line a check, then "N passed, N failed".
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDeclarations, checkStaticImports, checkSyntax } from './package/built-files.mjs';
import { checkApplication, checkBareImport, checkCommand, checkJest, install } from './package/consumers.mjs';
import { followPage } from './package/getting-started/check.mjs';
import { checkFiles, pack } from './package/pack.mjs';
import { binOf, runNode } from './run.mjs';

async function mustPass(args) {
  const { code, output } = await runNode(args, { capture: true });
  if (code !== 0) throw new Error(output.trimEnd());
}

/** Runs every check against the build in dist/lib. Answers how many passed and failed. */
export async function checkPackage() {
  const count = { passed: 0, failed: 0 };
  const check = async (what, body) => {
    try {
      await body();
      count.passed += 1;
      console.log(`ok      ${what}`);
    } catch (error) {
      count.failed += 1;
      console.log(`FAILED  ${what}: ${error.message}`);
    }
  };
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-package-'));
  try {
    await checkAll(check, await pack(folder), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return count;
}

async function checkAll(check, packed, folder) {
  await check('dist/lib has no import.meta and no top-level await', checkSyntax);
  await check('the types of "." name no optional peer', checkDeclarations);
  await check('optional peers are imported dynamically', checkStaticImports);
  await check('the tarball holds what it should and nothing else', () => checkFiles(packed));
  await check('publint', () => mustPass([binOf('publint'), packed.tarball, '--strict']));
  // The package is ESM on purpose: Node 20.19 and later can require() it. Everything else must be right, for
  // moduleResolution node10 as well.
  await check('arethetypeswrong', () =>
    mustPass([
      binOf('@arethetypeswrong/cli', 'attw'),
      packed.tarball,
      '--ignore-rules',
      'cjs-resolves-to-esm',
    ]),
  );
  const places = {};
  for (const name of ['bare', 'cjs-nest11', 'esm-nest12']) {
    await check(`the tarball installs in ${name}`, async () => {
      places[name] = await install(name, packed, folder);
    });
  }
  const installed = (name, body) => async () => {
    if (places[name] === undefined) throw new Error('it was not installed');
    await body(places[name]);
  };
  await check('"." loads with no optional peer present', installed('bare', checkBareImport));
  await check('a CommonJS application on Nest 11 runs a job', installed('cjs-nest11', checkApplication));
  await check('its Jest test passes with the one documented line', installed('cjs-nest11', checkJest));
  await check('an ESM application on Nest 12 runs a job', installed('esm-nest12', checkApplication));
  await check(
    'the command is there, and names a package that is missing',
    installed('esm-nest12', checkCommand),
  );
  // Both at once: each waits for the registry most of the time.
  await Promise.all(
    [12, 11].map((nest) =>
      check(
        `docs/getting-started.md runs in a new project of Nest ${nest}, its first job in under 10 commands`,
        () => followPage(nest, packed, folder),
      ),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { code } = await runNode(['scripts/build-lib.mjs']);
  const { passed, failed } = code === 0 ? await checkPackage() : { passed: 0, failed: 1 };
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

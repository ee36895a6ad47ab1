// Builds the library into dist/lib: SQL and Lua sources become modules, then tsc.
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { binOf, root, runNode } from './run.mjs';

const target = join(root, 'dist/lib');
const fresh = join(root, `dist/lib.new-${process.pid}`);

const embedSources = join(root, 'scripts/embed-sources.mjs');
if (existsSync(embedSources)) {
  const { code } = await runNode([embedSources]);
  if (code !== 0) process.exit(code);
}
const { code } = await runNode([
  binOf('typescript', 'tsc'),
  '-p',
  'tsconfig.lib.json',
  '--outDir',
  fresh,
  '--noEmitOnError',
]);
if (code === 0) {
  // A folder of its own, so that a file which was renamed or removed does not stay in the package, and so that an
  // error leaves the last good build in place.
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
} else {
  await rm(fresh, { recursive: true, force: true });
  console.error('The library does not compile: see the errors above.');
}
process.exit(code);

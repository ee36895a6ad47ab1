// Builds the sample application into dist/, beside the library.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, root, runNode } from './run.mjs';

if (!existsSync(join(root, 'sample'))) {
  console.log('No sample/ folder: the sample was not built.');
  process.exit(0);
}
const { code } = await runNode([binOf('@nestjs/cli', 'nest'), 'build']);
process.exit(code);

// Builds the sample application into dist/, beside the library.
import { binOf, runNode } from './run.mjs';

const { code } = await runNode([binOf('@nestjs/cli', 'nest'), 'build']);
process.exit(code);

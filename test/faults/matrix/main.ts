import { writeFileSync } from 'node:fs';
import type { TargetName } from '../target.js';
import { isClean } from './field.js';
import { matrixOptions, USAGE } from './matrix-options.js';
import { printTable } from './print.js';
import { reliabilityPage } from './reliability-page.js';
import { runMatrix } from './run-matrix.js';

/** Runs the matrix as the command line asks; answers the exit code. */
export async function main(
  argv: readonly string[],
  missing: ReadonlyMap<TargetName, string>,
): Promise<number> {
  const options = matrixOptions(argv);
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const startedAt = performance.now();
  const fields = await runMatrix(options, missing);
  printTable(fields);
  if (options.writesDocs) writeFileSync('docs/reliability.md', reliabilityPage(fields, options));
  const results = fields.flatMap((field) => field.results);
  const passed = results.filter(isClean).length;
  const failed = results.length - passed + fields.reduce((sum, { errors }) => sum + errors.length, 0);
  console.log(
    `\nin ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes, seeds from ${options.seed}`,
  );
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

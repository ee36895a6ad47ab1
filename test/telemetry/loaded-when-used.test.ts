import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** Every package that an entry loads, itself or through the files that it imports, at once or later. */
function packagesBehind(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
      if (!fileName.startsWith('.')) packages.add(fileName);
      else pending.push(join(dirname(file), fileName.replace(/\.js$/, '.ts')));
    }
  }
  return packages;
}

const entries = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => (path === '.' ? 'lib/index.ts' : `lib/${path.slice(2)}.ts`));

test.each(entries)('%s loads OpenTelemetry only where it is asked for', (entry) => {
  const loaded = [...packagesBehind(entry)].filter((name) => name.startsWith('@opentelemetry/'));
  expect(loaded).toEqual(entry === 'lib/opentelemetry.ts' ? ['@opentelemetry/api'] : []);
});

import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = resolve('test/types');
const builtTypes = resolve('dist/lib/index.d.ts');

/** Compiles the cases against the built declarations; answers the complaints of each file. */
function compile(config: string): Map<string, string[]> {
  const { config: raw } = ts.readConfigFile(join(folder, config), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    raw,
    ts.sys,
    folder,
    undefined,
    join(folder, config),
  );
  const complaints = new Map<string, string[]>(fileNames.map((file) => [relative(folder, file), []]));
  for (const diagnostic of ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options))) {
    const file =
      diagnostic.file === undefined ? '(configuration)' : relative(folder, diagnostic.file.fileName);
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? -1;
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
    complaints.set(file, [...(complaints.get(file) ?? []), `line ${line + 1}: ${text}`]);
  }
  return complaints;
}

const casesOf = (...folders: string[]): string[] =>
  folders.flatMap((name) => readdirSync(join(folder, 'cases', name)).map((file) => `cases/${name}/${file}`));

describe.each([
  { mode: 'on', config: 'tsconfig.strict.json', cases: casesOf('both', 'strict') },
  { mode: 'off', config: 'tsconfig.loose.json', cases: casesOf('both') },
])('with strictNullChecks $mode', ({ config, cases }) => {
  let complaints: Map<string, string[]>;

  beforeAll(() => {
    if (!existsSync(builtTypes)) throw new Error(`Expected ${builtTypes}; run "npm run build:lib" first.`);
    complaints = compile(config);
  });

  test.each(cases)('%s compiles, and what it expects to be refused is refused', (file) => {
    expect(complaints.get(file)).toEqual([]);
  });

  test('no other file complains', () => {
    expect([...complaints.keys()].filter((file) => !cases.includes(file))).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

interface Checks {
  isAllowed(licence: string | null): boolean;
  licenceOf(entry: object, manifest?: object): string | null;
  closureOf(packages: object, names: readonly string[]): { places: string[]; missing: string[] };
  licenceTroubles(packages: object, places: readonly string[], unusual?: object): string[];
  verdictOf(audit: { code: number; output: string }): { status: string; why: string };
}

const script: string = new URL('../../scripts/check-dependencies.mjs', import.meta.url).href;
const { isAllowed, licenceOf, closureOf, licenceTroubles, verdictOf } = (await import(script)) as Checks;

test.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT', '(BSD-2-Clause OR MIT OR Apache-2.0)'])(
  'a licence that asks for its notice only is allowed: %s',
  (licence) => expect(isAllowed(licence)).toBe(true),
);

test.each([null, 'GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-3.0', 'SEE LICENSE IN X', 'UNLICENSED', ''])(
  'another, or none, is not: %s',
  (licence) => expect(isAllowed(licence)).toBe(false),
);

test('a licence is read in its older forms too', () => {
  expect(licenceOf({}, { licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] })).toBe('MIT OR GPL-2.0');
  expect(licenceOf({}, { license: { type: 'ISC' } })).toBe('ISC');
  expect(licenceOf({})).toBeNull();
});

test('what a package brings is found where Node.js looks for it', () => {
  const packages = {
    'node_modules/a': { license: 'MIT', dependencies: { b: '1', gone: '1' } },
    'node_modules/b': { license: 'GPL-3.0' },
    'node_modules/a/node_modules/b': { license: 'MIT', dependencies: { c: '1' } },
    'node_modules/c': { license: 'ISC' },
  };
  const { places, missing } = closureOf(packages, ['a', 'not-there']);
  expect(places).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
  expect(missing).toEqual(['not-there']);
  expect(licenceTroubles(packages, Object.keys(packages))).toEqual(['b: GPL-3.0']);
  expect(licenceTroubles(packages, places)).toEqual([]);
});

test('an audit that nobody answers is told as not checked, and a weakness as a failure', () => {
  const audited = (high: number) =>
    JSON.stringify({
      vulnerabilities: { left: {} },
      metadata: { vulnerabilities: { high }, dependencies: { total: 2 } },
    });
  expect(verdictOf({ code: 1, output: '{ "message": "405 Method Not Allowed" }' }).status).toBe(
    'not checked',
  );
  expect(verdictOf({ code: 1, output: 'ENOTFOUND' }).status).toBe('not checked');
  expect(verdictOf({ code: 0, output: audited(0) }).status).toBe('passed');
  expect(verdictOf({ code: 1, output: audited(1) })).toEqual({
    status: 'failed',
    why: '1 high, 0 critical: left',
  });
});

test('the dependencies of this package pass', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check-dependencies.mjs', '--offline'], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^ok +licences of the run-time dependencies: \d+ packages$/m);
  expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ not checked$/m);
  expect(status).toBe(0);
});

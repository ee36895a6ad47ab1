import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../cli/support/config-file.js';
import { commandLine } from '../cli/support/command-line.js';
import { kinetisQueue } from '../cli/support/kinetis-queue.js';

/** Leaves a trace where it is run. */
const LEAVES_TRACE = "import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default {};";

/** What a loader of modules, or a shell, would take for more than the name of a file. */
const NO_FILES = [
  `data:text/javascript,${encodeURIComponent(LEAVES_TRACE)}`,
  'node:child_process',
  'https://127.0.0.1:1/config.mjs',
  'file:///etc/passwd',
  '$(touch ran)',
  '; touch ran',
  'config.mjs?x',
  'config.mjs#x',
  '%63onfig.mjs',
  '../../../../etc/passwd',
];

// By the built command: the runner of these tests loads modules in its own way.
test.each(NO_FILES)('--config=%j is the name of a file that is not there, and nothing else', async (name) => {
  const folder = await folderWith({ 'config.mjs': LEAVES_TRACE });
  const { code, err } = await kinetisQueue(['stats', `--config=${name}`], { folder });
  expect(code).toBe(64);
  expect(err).toContain(`--config=${name}: expected`);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test.each(['co nfig.mjs', "con'fig$(x).mjs", 'config%2e.mjs', 'config#1?.mjs'])(
  'a file is loaded by its very name: %j',
  async (name) => {
    const folder = await folderWith({ [name]: LEAVES_TRACE });
    const { err } = await kinetisQueue(['stats', `--config=${name}`], { folder });
    expect(err).toContain('a default export such as');
    expect(existsSync(join(folder, 'ran'))).toBe(true);
  },
);

test.each(['\0', '$(touch ran)', 'https://127.0.0.1:1/.env', '/dev/null/x'])(
  '--env-file=%j is a name too',
  async (name) => {
    const folder = await folderWith({});
    const { code, err } = await commandLine(['stats', `--env-file=${name}`], { folder });
    expect(code).toBe(64);
    expect(err).toContain('expected a file that can be read');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  },
);

test('a file of variables changes no prototype, and no variable that is set', async () => {
  const folder = await folderWith({
    '.env': '__proto__=polluted\nconstructor=polluted\nQUEUE_CONNECTION=redis\n',
  });
  const { err } = await commandLine(['stats', '--env-file=.env'], {
    folder,
    env: { QUEUE_CONNECTION: 'no-such-driver' },
  });
  expect(err).toContain('no-such-driver');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

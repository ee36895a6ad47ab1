import { expect, test } from 'vitest';
import { commandLine } from './support/command-line.js';
import { folderWith, sqliteFactory } from './support/config-file.js';
import { sqliteStore } from './support/stores.js';

test('a backend of ones own can tell doctor of its server, and be migrated', async () => {
  const folder = await folderWith({
    'config.mjs': `
      const open = ${sqliteFactory(await sqliteStore())};
      const finding = { topic: 'disk', level: 'problem', message: 'it is full', mend: 'make room' };
      let version = 1;
      export default {
        default: async (context) => Object.create(await open(context), {
          driver: { value: 'own' },
          diagnose: { value: async () => [finding] },
          schemaState: { value: async () => ({ present: version, needed: 2, statements: ['alter it'] }) },
          migrate: { value: async () => (version = 2) },
        }),
      };`,
  });
  const run = async (...argv: string[]) => {
    const { code, out } = await commandLine([...argv, '--config=config.mjs'], { folder });
    return { code, out };
  };
  const sick = await run('doctor', '--json');
  expect(sick.code).toBe(1);
  expect(JSON.parse(sick.out)).toMatchObject({
    findings: [
      { topic: 'connection' },
      { topic: 'server' },
      { topic: 'disk', mend: 'make room' },
      { topic: 'queues' },
    ],
  });
  expect(await run('migrate', '--check')).toMatchObject({ code: 1 });
  expect(await run('migrate', '--sql')).toEqual({ code: 0, out: 'alter it;\n\n' });
  expect(await run('migrate')).toEqual({
    code: 0,
    out: '"default": brought the tables from version 1 to 2\n',
  });
  expect(await run('migrate', '--check')).toMatchObject({ code: 0 });
});

test('what a backend without diagnose() warns of at its start, doctor tells', async () => {
  const folder = await folderWith({
    'config.mjs': `
      const open = ${sqliteFactory(await sqliteStore())};
      export default {
        default: async (context) => {
          const backend = await open(context);
          const connect = async () => context.warn('the disk is nearly full');
          return Object.create(backend, { connect: { value: connect }, diagnose: { value: undefined } });
        },
      };`,
  });
  const { code, out } = await commandLine(['doctor', '--config=config.mjs'], { folder });
  expect(code).toBe(0);
  expect(out).toMatch(/^warning +server +the disk is nearly full$/m);
});

import { expect, test } from 'vitest';
import type { Finding } from '../../lib/contract/index.js';
import { commandLine } from './support/command-line.js';
import { folderWith, sqliteFactory } from './support/config-file.js';
import { sqliteStore } from './support/stores.js';

/** Findings on a server of which `connect()` warns, and of which the backend's own look tells `told`. */
async function findingsWith(told: Partial<Finding>, warning: string): Promise<readonly Finding[]> {
  const folder = await folderWith({
    'config.mjs': `
      const open = ${sqliteFactory(await sqliteStore())};
      export default {
        default: async (context) => {
          const connect = async () => context.warn(${JSON.stringify(warning)});
          const diagnose = async () => [${JSON.stringify({ level: 'warning', mend: null, ...told })}];
          return Object.create(await open(context), { connect: { value: connect }, diagnose: { value: diagnose } });
        },
      };`,
  });
  const { out } = await commandLine(['doctor', '--config=config.mjs', '--json'], { folder });
  return (JSON.parse(out) as { findings: Finding[] }).findings;
}

test('a backend that looks at its server is heard when it warns of something else', async () => {
  const findings = await findingsWith({ topic: 'disk', message: 'it is slow' }, 'own(): memory is full');
  expect(findings.map(({ topic, message }) => `${topic}: ${message}`)).toEqual([
    expect.stringMatching(/^connection: /),
    expect.stringMatching(/^server: it answers/),
    'disk: it is slow',
    'server: own(): memory is full',
    'queues: none holds jobs',
  ]);
});

test('what it tells and warns of is told once', async () => {
  const findings = await findingsWith(
    { topic: 'disk', message: 'it is slow' },
    'own(): it is slow: buy one.',
  );
  expect(findings.filter(({ message }) => message.includes('it is slow'))).toHaveLength(1);
});

test('what a backend says of its server itself stands for the answer to connect()', async () => {
  const findings = await findingsWith({ topic: 'server', message: 'not asked' }, 'x');
  expect(findings.filter(({ topic }) => topic === 'server').map(({ message }) => message)).toEqual([
    'not asked',
    'x',
  ]);
});

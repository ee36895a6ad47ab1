import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { sampleFolder, SampleProcess } from '../support/sample-process.js';
import { MailModule, Welcomes } from '../../sample/readme/mail.module.js';
import { AppModule } from '../../sample/readme/app.module.js';
import { Test } from '@nestjs/testing';

// A worker process that starts on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

const readme = readFileSync('README.md', 'utf8');
const shown = [...readme.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

test('the README shows the files of its example', () => {
  expect(shown.map(({ file }) => file)).toEqual([
    'sample/readme/send-welcome-email.job.ts',
    'sample/readme/mail.module.ts',
    'sample/readme/app.module.ts',
    'sample/readme/migrate.ts',
    'sample/readme/worker.ts',
  ]);
});

test.each(shown)('the README shows $file as it is', ({ file, code }) => {
  expect(code).toBe(readFileSync(file, 'utf8'));
});

test('every link of the README leads to a file of the repository', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((target) => !target.startsWith('http') && !existsSync(target))).toEqual([]);
});

test('the example of the README runs: what one process pushes, its worker does in another', async () => {
  const { env } = await sampleFolder();
  expect(await new SampleProcess(env, 'dist/readme/migrate.js').exit()).toBe(0);
  vi.stubEnv('QUEUE_FILE', env['QUEUE_FILE']);
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  try {
    const welcomes = app.select(MailModule).get(Welcomes);
    await welcomes.welcome('ada@example.com', 'a-secret-token');
    expect(await welcomes.waiting()).toBe(0);
  } finally {
    await app.close();
    vi.unstubAllEnvs();
  }
  const worker = new SampleProcess(env, 'dist/readme/worker.js', '--queue=mail,default', '--concurrency=10');
  await worker.printed(/A mail to ada@example\.com/);
  await worker.printed(/"event":"job\.succeeded"/);
  expect(worker.output).not.toContain('a-secret-token');
  worker.signal('SIGTERM');
  expect(await worker.exit()).toBe(0);
});

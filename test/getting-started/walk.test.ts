import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error the scripts are plain JavaScript
import { readPage } from '../../scripts/package/getting-started/read-page.mjs';
// @ts-expect-error the scripts are plain JavaScript
import { Walk } from '../../scripts/package/getting-started/walk.mjs';

const step = (comment: string, text: string) => `<!-- ${comment} -->\n\n\`\`\`sh\n${text}\n\`\`\`\n`;

/** Follows a page in a folder of its own; answers the commands and the folder. */
async function follow(page: string, { commonJs = false, holding = ['here'], instead = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const walk = new Walk(folder, { commonJs });
  try {
    await walk.follow(readPage(page), holding, instead);
  } finally {
    await walk.end();
  }
  const commands: string[] = walk.commands.map(({ command }: { command: string }) => command);
  return { folder, commands };
}

test('commands are done in order, and those for another place are left out', async () => {
  const page = [step('run', 'mkdir a\ncd a\npwd'), step('prints', '…/a'), step('run, on elsewhere', 'false')];
  expect((await follow(page.join('\n'))).commands).toEqual(['mkdir a', 'cd a', 'pwd']);
});

test('a command that fails, or prints something else than the page shows, fails the walk', async () => {
  await expect(follow(step('run', 'false'))).rejects.toThrow('run: false ended with 1');
  const page = `${step('run', 'echo one')}\n${step('prints', 'two')}`;
  await expect(follow(page)).rejects.toThrow('expected "two"; got:\none');
});

test('what a terminal prints is waited for while its command runs, and Ctrl-C ends all that it started', async () => {
  const both = `require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' }).on('spawn', () => console.log('up'))`;
  const page = [step('start: application', `node -e "${both}"`), step('prints: application', 'up')];
  await follow(`${page.join('\n')}\n<!-- stop: application -->\n`);
  const ends = [step('start: application', 'echo down'), step('prints: application', 'up')];
  await expect(follow(ends.join('\n'))).rejects.toThrow(/expected "up"; it ended with 0\. It printed:\ndown/);
});

test('a worker that Ctrl-C does not end in order fails the walk', async () => {
  const page = `${step('start: worker', 'sleep 60')}\n<!-- stop: worker -->\n`;
  await expect(follow(page)).rejects.toThrow('expected a worker to end with 0, got SIGINT');
});

test('a file is written whole, in a CommonJS project without ".js"', async () => {
  const line = "import { a } from './a.js';";
  const page = step('file: test/getting-started/in-memory/mail/a.ts', line);
  const read = async (commonJs: boolean) =>
    readFile(join((await follow(page, { commonJs })).folder, 'src/mail/a.ts'), 'utf8');
  expect(await read(false)).toBe(`${line}\n`);
  expect(await read(true)).toBe("import { a } from './a';\n");
});

test("what stands instead of the page's .env is set only where the page's .env has it", async () => {
  const page = [
    step('file: .env', 'REDIS_URL=x'),
    step('run', 'echo "$REDIS_URL $DB_URL."'),
    step('prints', 'y .'),
  ];
  await follow(page.join('\n'), { instead: { REDIS_URL: 'y', DB_URL: 'z' } });
});

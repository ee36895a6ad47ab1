import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Case {
  readonly file: string;
  readonly source: string;
  readonly message: string;
}

const imports = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;\n`;

const refusedRooms: readonly [room: string, specifier: string, message: string][] = [
  ['contract', '../jobs/job.js', 'The contract imports no other room'],
  ['contract', '../module/x.js', 'The contract imports no other room'],
  ['contract', '@nestjs/common', 'The contract imports no package'],
  ['contract', 'acorn', 'The contract imports no package'],
  ['contract/exceptions', '../../worker/worker.js', 'The contract imports no other room'],
  ['jobs', '../queue/queue.js', 'jobs may import contract only'],
  ['jobs', '../worker/worker.js', 'jobs may import contract only'],
  ['jobs', '../events/job-started.js', 'jobs may import contract only'],
  ['jobs', '@mikro-orm/core', 'Only required peers'],
  ['queue', '../worker/worker.js', 'queue may import contract and jobs only'],
  ['queue', '../events/job-started.js', 'queue may import contract and jobs only'],
  ['queue', '@nestjs/config', 'An optional peer'],
  ['events', '../worker/worker.js', 'events may import contract only'],
  ['events', '../jobs/job.js', 'events may import contract only'],
  ['worker', '../backends/memory/memory.js', 'worker may import contract, jobs, queue and events only'],
  ['worker', '../module/tokens.js', 'worker may import contract, jobs, queue and events only'],
  ['worker', 'ioredis', 'Only required peers'],
  ['backends/memory', '../../jobs/job.js', 'A backend imports contract only'],
  ['backends/memory', '../sql/dialect.js', 'A backend imports no other backend'],
  ['backends/memory', '@nestjs/common', 'this one has none'],
  ['backends/sql', '../../worker/worker.js', 'A backend imports contract only'],
  ['backends/sql', '../memory/clock.js', 'A backend imports no other backend'],
  ['backends/sql', 'ioredis', 'A backend imports contract and its own client library only'],
  ['backends/sql/dialects', '../../memory/clock.js', 'A backend imports no other backend'],
  ['backends/redis', '@mikro-orm/core', 'A backend imports contract and its own client library only'],
  ['backends/rabbitmq', '../../queue/queue.js', 'A backend imports contract only'],
  ['backends/sqs', 'amqplib', 'A backend imports contract and its own client library only'],
  ['backends/sync', '../../worker/worker.js', 'A backend imports contract only'],
  ['testing', '../backends/memory/memory.js', 'testing imports no backend'],
  ['health', '../backends/sql/sql.js', 'health imports no backend'],
  ['health', '@nestjs/config', 'An optional peer'],
  ['bull-board', '../backends/sql/sql.js', 'bull-board imports no backend'],
  ['bull-board', '@nestjs/terminus', 'An optional peer'],
  ['bull-board', '@bull-board/express', 'Only required peers'],
  ['module', '@bull-board/api', 'Only required peers'],
  ['listeners', '@nestjs/event-emitter', 'An optional peer'],
  ['listeners', '../backends/sql/sql.js', 'listeners imports no backend'],
  ['listeners/emitter', '@nestjs/terminus', 'An optional peer'],
  ['module', '@mikro-orm/core', 'Only required peers'],
  ['cli', '../backends/redis/redis.js', 'cli imports no backend'],
  ['cli/move', '../../backends/sql/sql.js', 'cli imports no backend'],
  ['cli', 'ioredis', 'Only required peers'],
  ['module', '../telemetry/index.js', 'Telemetry comes by the option'],
  ['telemetry', '../worker/worker.js', 'telemetry imports contract and queue only'],
  ['telemetry', '@opentelemetry/sdk-trace-base', 'telemetry imports @opentelemetry/api only'],
  ['worker', '@opentelemetry/api', 'Only required peers'],
];

const allowed: readonly [room: string, specifier: string][] = [
  ['contract', 'node:crypto'],
  ['worker', 'node:timers/promises'],
  ['contract/exceptions', '../settlement.js'],
  ['jobs', '../contract/index.js'],
  ['jobs', 'acorn'],
  ['jobs', '@nestjs/common'],
  ['queue', '../jobs/job.js'],
  ['worker', '../queue/queue.js'],
  ['worker', '@nestjs/core'],
  ['worker', 'node:http'],
  ['backends/sql', '@mikro-orm/core'],
  ['backends/sql/dialects', '../sql-executor.js'],
  ['backends/sql', '../../contract/index.js'],
  ['health', '@nestjs/terminus'],
  ['bull-board', '@bull-board/api/dist/types.js'],
  ['listeners/emitter', '@nestjs/event-emitter'],
  ['telemetry', '@opentelemetry/api'],
  ['telemetry', '../queue/index.js'],
  ['module', '../backends/memory/memory.js'],
  ['cli', '../module/assert-backend.js'],
  ['cli/connect', 'node:util'],
];

const refused: readonly Case[] = [
  ...refusedRooms.map(([room, specifier, message], index) => ({
    file: `lib/${room}/refused-${index}.ts`,
    source: imports(specifier),
    message,
  })),
  {
    file: 'lib/index.ts',
    source: imports('./backends/sql/sql.js'),
    message: 'The main entry exports nothing',
  },
  { file: 'lib/worker/loud.ts', source: `console.log('x');\nexport {};\n`, message: 'no-console' },
  { file: 'lib/jobs/top.ts', source: `export const x = await fetch('x');\n`, message: 'no-top-level-await' },
  {
    file: 'lib/queue/cycle-a.ts',
    source: `import { b } from './cycle-b.js';\nexport const a = (): number => b();\n`,
    message: 'no-cycle',
  },
  {
    file: 'lib/queue/cycle-b.ts',
    source: `import { a } from './cycle-a.js';\nexport const b = (): number => a();\n`,
    message: 'no-cycle',
  },
  {
    file: 'lib/queue/long-file.ts',
    source: Array.from({ length: 401 }, (_, n) => `export const n${n} = ${n};\n`).join(''),
    message: 'max-lines)',
  },
  {
    file: 'lib/queue/long-function.ts',
    source: `export function f(): void {\n${'  f();\n'.repeat(61)}}\n`,
    message: 'max-lines-per-function',
  },
  {
    file: 'test/x/only.test.ts',
    source: `import { test } from 'vitest';\ntest.only('x', () => {});\n`,
    message: 'no-focused-tests',
  },
  {
    file: 'test/x/skip.test.ts',
    source: `import { test } from 'vitest';\ntest.skip('x', () => {});\n`,
    message: 'no-disabled-tests',
  },
];

let folder: string;
const complaints = new Map<string, string>();

/** Runs the linter over all cases at once, with the project's own configuration. */
async function lint(root: string): Promise<void> {
  const oxlint = resolve('node_modules/oxlint/bin/oxlint');
  const stdout = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [oxlint, '--format=json', 'lib', 'test'],
      { cwd: root, maxBuffer: 1e8 },
      (_error, out) => done(out),
    );
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code: string; message: string; help?: string }[];
  };
  for (const { filename, code, message, help } of diagnostics) {
    complaints.set(filename, `${complaints.get(filename) ?? ''}${code} ${message} ${help ?? ''}\n`);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinetis-lint-'));
  await cp('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  const good = allowed.map(([room, specifier], index) => ({
    file: `lib/${room}/allowed-${index}.ts`,
    source: imports(specifier),
  }));
  for (const { file, source } of [...refused, ...good]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), source);
  }
  await lint(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(refusedRooms.map(([room, specifier, message], index) => ({ room, specifier, message, index })))(
  'lint refuses $specifier in lib/$room',
  ({ room, message, index }) => {
    expect(complaints.get(`lib/${room}/refused-${index}.ts`)).toContain(message);
  },
);

test.each(refused.slice(refusedRooms.length))('lint refuses $file by $message', ({ file, message }) => {
  expect(complaints.get(file)).toContain(message);
});

test.each(allowed.map(([room, specifier], index) => ({ room, specifier, index })))(
  'lint lets lib/$room import $specifier',
  ({ room, index }) => {
    expect(complaints.get(`lib/${room}/allowed-${index}.ts`)).toBeUndefined();
  },
);

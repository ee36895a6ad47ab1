import { expect, test } from 'vitest';
import { Job, jobDefinition, secretsOf, Sensitive } from '../../lib/jobs/index.js';
import { failureOf } from '../../lib/queue/index.js';
import { WorkerBench } from '../support/worker-bench.js';

@Job({ args: ['open', 'token', 'nested'] })
class Guarded {
  constructor(
    readonly open: string,
    @Sensitive() readonly token: string | null,
    @Sensitive() readonly nested: unknown,
  ) {}

  handle(): void {}
}

const definition = jobDefinition(Guarded);

test('secrets are the texts of sensitive arguments, however deep, of four characters or more', () => {
  const args = {
    open: 'visible',
    token: 'top-secret',
    nested: { key: ['deep-secret', 'abc', 12_345, null, { more: 'abcd' }] },
  };
  expect([...secretsOf(definition, args)].sort()).toEqual(['abcd', 'deep-secret', 'top-secret']);
  expect(secretsOf(definition, { open: 'visible' })).toEqual([]);
  // Of a class that nobody lists nothing tells which are sensitive.
  expect([...secretsOf(null, { open: 'visible' })]).toEqual(['visible']);
});

test('a long list of secrets is no trouble', () => {
  const nested = Array.from({ length: 200_000 }, (_, index) => (index < 10 ? `secret ${index}` : index));
  expect(secretsOf(definition, { open: '', token: null, nested })).toHaveLength(10);
});

test('a secret is taken out of name, message and stack, also as JSON and URLs write it, the longest first', () => {
  const secrets = ['pass"word', 'pass"word and more'];
  const error = new Error(
    `x pass"word and more, ${JSON.stringify('pass"word')}, ${encodeURIComponent('pass"word')}`,
  );
  error.name = 'pass"word';
  const failure = failureOf(error, 'fatal', secrets);
  expect(failure.message).toBe('x [redacted], "[redacted]", [redacted]');
  expect(failure.error).toBe('[redacted]');
  expect(failure.stack).not.toContain('word');
});

test('a secret at the place where a long message is cut leaves no part of itself', () => {
  const { message } = failureOf(new Error(`${'x'.repeat(8_188)}top-secret`), 'fatal', ['top-secret']);
  expect(message).not.toContain('top');
});

test('a secret that is no well-formed text, or empty of meaning to a pattern, is taken out too', () => {
  const failure = failureOf(new Error('a \ud800bcd b $& c (.*) d'), 'fatal', ['\ud800bcd', '$& c', '(.*)']);
  expect(failure.message).toBe('a [redacted] b [redacted] [redacted] d');
});

test('an error that cannot be read is no trouble', () => {
  const hostile = new Error('x');
  Object.defineProperty(hostile, 'stack', {
    get: () => {
      throw new Error('no stack');
    },
  });
  expect(failureOf(hostile, 'fatal', ['secret'])).toMatchObject({ message: 'x', stack: null });
});

test('what the failed store and the log keep of an error shows no sensitive argument', async () => {
  const bench = new WorkerBench();
  bench.handler = (_, job) => {
    throw new Error(`refused: ${String(Reflect.get(job, 'secret'))} of ${job.label}`);
  };
  await bench.push('label', { maxAttempts: 2 });
  const worker = bench.worker();
  await worker.processNext(1);
  await worker.processNext(1);
  const [, fail] = bench.backend.settlements;
  expect(fail?.settlement).toMatchObject({
    operation: 'fail',
    failure: { message: 'refused: [redacted] of label', stack: expect.stringContaining('[redacted]') },
  });
  expect(JSON.stringify(bench.lines)).not.toContain('s3cret');
});

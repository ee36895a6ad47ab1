import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newVhost } from '../support/rabbitmq-servers.js';
import { newJob } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { SqsEmulator } from '../support/sqs-emulator.js';
import { commandLine } from './support/command-line.js';
import { sqliteStore } from './support/stores.js';

type Environment = Readonly<Record<string, string>>;

afterEach(() => vi.unstubAllEnvs());

async function rabbitmq(): Promise<Environment> {
  const vhost = await newVhost();
  onTestFinished(() => vhost.remove());
  return { QUEUE_BROKER_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_BROKER_URL: vhost.url.href };
}

async function sqs(): Promise<Environment> {
  const emulator = await SqsEmulator.start();
  onTestFinished(() => emulator.stop());
  await emulator.createQueue('test_mail', {});
  // The SDK reads them by itself.
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  return {
    QUEUE_BROKER_CONNECTION: 'sqs',
    QUEUE_SQS_BROKER_ENDPOINT: `http://127.0.0.1:${emulator.port}`,
    QUEUE_SQS_BROKER_REGION: 'us-east-1',
    QUEUE_SQS_BROKER_QUEUE_PREFIX: 'test_',
  };
}

/** Brokers, with what they refuse. */
const BROKERS: readonly (readonly [string, () => Promise<Environment>, Readonly<Record<string, number>>])[] =
  [
    ...(isTested('rabbitmq') ? [['rabbitmq', rabbitmq, { clear: 0, failed: 0 }] as const] : []),
    ...(isTested('sqs') ? [['sqs', sqs, { clear: 1, failed: 1 }] as const] : []),
  ];

test('brokers are tested where this run has them', () => {
  expect(BROKERS.map(([name]) => name)).toEqual(['rabbitmq', 'sqs'].filter(isTested));
});

describe.each(BROKERS)('on %s', (name, open, codes) => {
  const broker = (...argv: string[]) => [...argv, '--connection=broker'];

  test('jobs are moved there and back, and counted', async () => {
    const store = await sqliteStore();
    const env = { ...store.env, ...(await open()), QUEUE_CONNECTIONS: 'default,broker' };
    const sent = Array.from({ length: 120 }, () => newJob());
    await store.backend.store(sent);
    const there = await commandLine(['move', '--from=default', '--to=broker'], { env });
    expect(there.err).not.toContain('expected');
    expect({ code: there.code, out: there.out }).toEqual({ code: 0, out: '"mail": moved 120 jobs\n' });
    expect(there.err).toContain(`"${name}" keeps no unique keys: jobs lose theirs`);
    const counted = await commandLine(broker('stats', '--queue=mail', '--json'), { env });
    expect(JSON.parse(counted.out)).toMatchObject({ total: { ready: 120 } });
    const back = await commandLine(['move', '--from=broker', '--to=default', '--queue=mail'], { env });
    expect({ code: back.code, out: back.out }).toEqual({ code: 0, out: '"mail": moved 120 jobs\n' });
    const items = await store.backend.reserve(['mail'], 200);
    const bodies = items.map(({ body }) => String(body)).sort();
    expect(bodies).toEqual(sent.map(({ body }) => body).sort());
  });

  test('what it cannot do is refused, with what to give where something helps', async () => {
    const store = await sqliteStore();
    const env = { ...store.env, ...(await open()), QUEUE_CONNECTIONS: 'default,broker' };
    const codeOf = async (...argv: string[]) => (await commandLine(broker(...argv), { env })).code;
    expect(await codeOf('stats')).toBe(64);
    expect(await codeOf('doctor', '--queue=mail')).toBe(0);
    expect(await codeOf('pause', '--queue=mail')).toBe(1);
    expect(await codeOf('migrate')).toBe(1);
    expect(await codeOf('clear', '--queue=mail', '--force')).toBe(codes['clear']);
    expect(await codeOf('failed', 'list', '--queue=mail')).toBe(codes['failed']);
    expect(await codeOf('failed', 'flush', '--queue=mail', '--force')).toBe(codes['failed']);
  });
});

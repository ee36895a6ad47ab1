import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePorts } from '../support/private-redis.js';
import { isTested } from '../support/servers.js';
import { SqsEmulator } from '../support/sqs-emulator.js';
import { findingsOf } from './support/findings.js';

type Environment = Readonly<Record<string, string>>;

function sqsOn(port: number | undefined): Environment {
  return {
    QUEUE_CONNECTION: 'sqs',
    QUEUE_SQS_ENDPOINT: `http://127.0.0.1:${port}`,
    QUEUE_SQS_REGION: 'us-east-1',
    QUEUE_SQS_QUEUE_PREFIX: 'test_',
  };
}

async function emulated(...queues: string[]): Promise<Environment> {
  const emulator = await SqsEmulator.start();
  onTestFinished(() => emulator.stop());
  for (const queue of queues) await emulator.createQueue(queue, {});
  return sqsOn(emulator.port);
}

const NOT_ASKED = {
  topic: 'server',
  level: 'warning',
  message: 'not asked: SQS answers for a queue alone, and none was named',
  mend: 'name one, --queue=mail,default',
};

describe.runIf(isTested('sqs'))('doctor on SQS', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  });
  afterEach(() => vi.unstubAllEnvs());

  test('without a queue it says that nobody was asked, not that the server answers', async () => {
    const [port] = await freePorts(1);
    const { code, about } = await findingsOf(sqsOn(port));
    expect(about('server')).toEqual([NOT_ASKED]);
    expect(code).toBe(0);
  });

  test('a service that is not reached is a problem, and ends with 69', async () => {
    const [port] = await freePorts(1);
    const { code, findings } = await findingsOf(sqsOn(port), '--queue=mail');
    expect(code).toBe(69);
    expect(findings).toMatchObject([
      { topic: 'connection' },
      {
        topic: 'server',
        level: 'problem',
        message: expect.stringContaining('ECONNREFUSED'),
        mend: 'docs/errors.md says more of QUEUE_CONNECTION_FAILED',
      },
    ]);
  });

  test('what answers for a queue is told to answer', async () => {
    const { code, about } = await findingsOf(await emulated('test_mail'), '--queue=mail');
    expect(about('server')).toEqual([
      {
        topic: 'server',
        level: 'ok',
        message: 'it answers for queue "mail"',
        mend: null,
      },
    ]);
    expect(code).toBe(0);
  });

  test('a dead letter queue was asked for by the connection itself', async () => {
    const env = { ...(await emulated('test_buried')), QUEUE_SQS_DEAD_LETTER_QUEUE: 'buried' };
    const { about } = await findingsOf(env);
    expect(about('server')).toMatchObject([
      { level: 'ok', message: expect.stringContaining('queue "buried"') },
    ]);
  });

  test('a queue that is missing is a problem of the queues, of a service that answers', async () => {
    const { code, about } = await findingsOf(await emulated(), '--queue=mail');
    expect(about('server')).toMatchObject([{ level: 'ok' }]);
    expect(about('queues')).toMatchObject([
      { level: 'problem', message: expect.stringContaining('expected the queue "test_mail" on SQS') },
    ]);
    expect(code).toBe(1);
  });
});

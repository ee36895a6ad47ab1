import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openRabbitMq, plainChannel } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { newJob } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { findingsOf } from './support/findings.js';

type Environment = Readonly<Record<string, string>>;

const OTHER_WAYS: readonly (readonly [string, Environment, string])[] = [
  ['another type', { QUEUE_RABBITMQ_QUEUE_TYPE: 'quorum' }, 'x-[a-z-]+'],
  ['other levels', { QUEUE_RABBITMQ_MAX_PRIORITY: '20' }, 'x-max-priority'],
  ['a time to live', { QUEUE_RABBITMQ_MESSAGE_TTL: '60000' }, 'x-message-ttl'],
];

/** Each right with the patterns of a user that lacks it: configure, write, read. */
const RIGHTS = [
  ['configure', '^$', '.*', '.*'],
  ['write', '.*', '^$', '.*'],
  ['read', '.*', '.*', '^$'],
] as const;

describe.runIf(isTested('rabbitmq'))('doctor on RabbitMQ', () => {
  let vhost: TestVhost;
  let env: Environment;
  let queuePrefix: string;
  let name: string;

  beforeAll(async () => void (vhost = await newVhost()));
  afterAll(() => vhost.remove());
  beforeEach(() => {
    queuePrefix = `test-${randomUUID()}-`;
    name = `${queuePrefix}mail`;
    env = {
      QUEUE_CONNECTION: 'rabbitmq',
      QUEUE_RABBITMQ_URL: vhost.url.href,
      QUEUE_RABBITMQ_QUEUE_PREFIX: queuePrefix,
    };
  });

  async function pushOne(): Promise<void> {
    const [outcome] = await (await openRabbitMq(vhost.url, { queuePrefix })).store([newJob()]);
    expect(outcome).toEqual({ status: 'applied' });
  }

  async function isThere(queue: string): Promise<boolean> {
    const channel = await plainChannel(vhost.url);
    channel.on('error', () => undefined);
    return channel.checkQueue(queue).then(
      () => true,
      () => false,
    );
  }

  test('without a queue it says what was not looked at', async () => {
    const { code, about } = await findingsOf(env);
    expect(about('server')).toMatchObject([{ level: 'ok' }]);
    expect(about('topology')).toEqual([
      {
        topic: 'topology',
        level: 'warning',
        message: 'no queue was named: how queues are declared, and what the user may do, was not looked at',
        mend: 'name them, --queue=mail,default',
      },
    ]);
    expect(code).toBe(0);
  });

  test('a queue that is declared as the connection has it is as it should be', async () => {
    await pushOne();
    const lonely = await findingsOf(env, '--queue=mail', '--waited=1000');
    expect(lonely.about('queue mail')[0]).toEqual({
      topic: 'queue mail',
      level: 'ok',
      message: 'it is declared as this connection has it; no consumer is on it',
      mend: null,
    });
    expect(await isThere(`${name}.dead`)).toBe(false);
    const consumption = await (
      await openRabbitMq(vhost.url, { queuePrefix })
    ).consume('mail', { prefetch: 1, onItem: () => undefined, onLost: () => undefined });
    const read = await findingsOf(env, '--queue=mail');
    expect(read.about('queue mail')[0]?.message).toMatch(/; 1 consumer is on it$/);
    expect(read.code).toBe(0);
    await consumption.stop();
  });

  test('a queue that is not there is told, and not made', async () => {
    const { code, about } = await findingsOf(env, '--queue=mail');
    expect(about('queue mail')).toEqual([
      {
        topic: 'queue mail',
        level: 'warning',
        message: 'it is not there yet, so that its declaration and the rights to it were not looked at',
        mend: 'push a job or start a worker, which makes it; or check the name and the prefix',
      },
    ]);
    expect(code).toBe(0);
    expect(await isThere(name)).toBe(false);
  });

  test.each(OTHER_WAYS)('a queue declared in %s is a problem', async (_, options, argument) => {
    await pushOne();
    const { code, about } = await findingsOf({ ...env, ...options }, '--queue=mail', '--waited=1000');
    expect(about('queue mail')[0]).toEqual({
      topic: 'queue mail',
      level: 'problem',
      message: expect.stringMatching(
        new RegExp(`expected to declare the queue "${name}".*inequivalent arg '${argument}'`),
      ),
      mend: 'give all processes the same options, or empty and delete it first; pushes to it are refused until then',
    });
    expect(code).toBe(1);
    expect(await isThere(`${name}.dead`)).toBe(false);
    await pushOne();
  });

  test('a user is told which right it lacks', async () => {
    await pushOne();
    const user = vhost.name;
    await rabbitmqctl('add_user', user, 'hunter2');
    onTestFinished(() => rabbitmqctl('delete_user', user).then(() => undefined));
    const url = Object.assign(new URL(vhost.url), { username: user, password: 'hunter2' });
    for (const [right, ...patterns] of RIGHTS) {
      await rabbitmqctl('set_permissions', '-p', vhost.name, user, ...patterns);
      const { code, about } = await findingsOf(
        { ...env, QUEUE_RABBITMQ_URL: url.href },
        '--queue=mail',
        '--waited=1000',
      );
      expect(about('queue mail')[0]).toEqual({
        topic: 'queue mail',
        level: 'problem',
        message: expect.stringMatching(
          new RegExp(`^the user may not .* ${right}\\b.*ACCESS_REFUSED.* access to .* refused`),
        ),
        mend: 'grant what docs/rabbitmq.md lists for the user of the queue',
      });
      expect(code).toBe(1);
    }
  });

  test('each queue is looked at, also behind one that is refused', async () => {
    await pushOne();
    const channel = await plainChannel(vhost.url);
    await channel.assertQueue(`${queuePrefix}first`, { durable: true });
    const { code, about } = await findingsOf(env, '--queue=first,mail', '--waited=1000');
    expect(about('queue first')).toMatchObject([{ level: 'problem' }]);
    expect(about('queue mail')[0]).toMatchObject({ level: 'ok' });
    expect(code).toBe(1);
  });
});

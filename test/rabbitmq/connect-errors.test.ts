import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionFailed } from '../../lib/contract/index.js';
import { newJob } from '../support/new-job.js';
import { freePort } from '../support/server-child.js';
import { openRabbitMq } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const SECRETS = /ada|hunter2/;

describe.runIf(isTested('rabbitmq'))('a broker that cannot be worked with', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  /** What `connect()` and a push say; both are `ConnectionFailed`. */
  async function saidOf(url: string | readonly string[]): Promise<string> {
    const backend = await openRabbitMq(url);
    const error: unknown = await backend.connect().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionFailed);
    const [outcome] = await backend.store([newJob()]);
    const refusal = outcome?.status === 'refused' ? outcome.error : undefined;
    expect(refusal).toBeInstanceOf(ConnectionFailed);
    const { message } = error as Error;
    expect((refusal as Error).message).toBe(message.replace('connect()', 'push()'));
    expect(message).not.toMatch(SECRETS);
    return message;
  }

  it('answered where the password is wrong', async () => {
    const url = Object.assign(new URL(vhost.url), { username: 'ada', password: 'hunter2' });
    const said = await saidOf(url.href);
    expect(said).toMatch(
      /came a refusal \(\S+:\d+: ACCESS_REFUSED.*address, user, password and virtual host/s,
    );
    expect(said).not.toContain('came none');
  });

  it('answered where the virtual host is not there', async () => {
    const url = Object.assign(new URL(vhost.url), { pathname: '/kinetis_test_missing' });
    expect(await saidOf(url.href)).toMatch(/came a refusal \(.*virtual host/);
  });

  it('is named with host and port, each that was tried', async () => {
    const [first, second] = [await freePort(), await freePort()];
    const said = await saidOf([
      `amqp://ada:hunter2@127.0.0.1:${first}`,
      `amqp://ada:hunter2@[::1]:${second}`,
      'amqps://ada:hunter2@kinetis-test.invalid',
    ]);
    expect(said).toContain('came none (');
    expect(said).toContain(`127.0.0.1:${first}: ECONNREFUSED`);
    expect(said).toMatch(new RegExp(`\\[::1\\]:${second}: E[A-Z]+`));
    expect(said).toMatch(/kinetis-test\.invalid:5671: E[A-Z_]+/);
  });

  it('is a refusal where one of several hosts answered and the others did not', async () => {
    const wrong = Object.assign(new URL(vhost.url), { username: 'ada', password: 'hunter2' });
    const nobody = Object.assign(new URL(wrong), { port: String(await freePort()) });
    const said = await saidOf([wrong.href, nobody.href]);
    expect(said).toMatch(/came a refusal \(.*ACCESS_REFUSED.*; .*ECONNREFUSED\)/s);
  });
});

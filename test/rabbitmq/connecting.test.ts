import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { freePort } from '../support/server-child.js';
import { openRabbitMq, openWire } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('the way to a broker', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('leads to the next host where one does not answer, and back when that is gone', async () => {
    const [first, second] = [await openWire(vhost.url), await openWire(vhost.url)];
    first.down();
    const nobody = Object.assign(new URL(vhost.url), { port: String(await freePort()) });
    const url = [nobody.href, first.through(vhost.url), second.through(vhost.url)];
    const backend = await openRabbitMq(url, { queuePrefix: 'test-hosts-' });
    const isPushed = async (): Promise<boolean> => (await backend.store([newJob()]))[0]?.status === 'applied';
    expect(await isPushed()).toBe(true);
    expect([first.connections, second.connections]).toEqual([0, 1]);
    first.up();
    second.down();
    // What is sent before the loss is noticed is of unknown outcome.
    await waitFor('a push over the first host', isPushed);
    expect([first.connections, second.connections]).toEqual([1, 0]);
  });

  it('is named, and watched by a heartbeat, where the broker lists its connections', async () => {
    const listed = async (): Promise<string[]> => {
      const lines = await rabbitmqctl('list_connections', 'vhost', 'timeout', 'client_properties');
      return lines.split('\n').filter((line) => line.startsWith(`${vhost.name}\t`));
    };
    const named = await openRabbitMq(vhost.url, { connectionName: 'orders of a test', heartbeatSeconds: 17 });
    await named.connect();
    expect(await listed()).toEqual([expect.stringMatching(/\t17\t.*"connection_name","orders of a test"/)]);
    await named.close();
    const plain = await openRabbitMq(vhost.url);
    await plain.connect();
    const [line = ''] = await listed();
    expect(line).toContain('"connection_name","kinetis default"');
    const seconds = Number(line.split('\t')[1]);
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThanOrEqual(30);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerRefused } from '../../lib/contract/index.js';
import type { RabbitMqOptions } from '../../lib/rabbitmq.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { openRabbitMq, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const FAILURE = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;

/** The patterns for configure, write and read that docs/rabbitmq.md gives a user of the queue. */
function documentedPermissions(): string[] {
  const page = readFileSync('docs/rabbitmq.md', 'utf8');
  const [, patterns = ''] = /set_permissions -p shop queue (.*)\n/.exec(page) ?? [];
  return patterns.split(' ').map((pattern) => pattern.replaceAll("'", ''));
}

describe.runIf(isTested('rabbitmq'))('a user with the permissions that docs/rabbitmq.md lists', () => {
  let vhost: TestVhost;
  let url: URL;
  beforeAll(async () => {
    vhost = await newVhost();
    url = Object.assign(new URL(vhost.url), { username: vhost.name, password: 'hunter2' });
    await rabbitmqctl('add_user', url.username, url.password);
    await rabbitmqctl('set_permissions', '-p', vhost.name, url.username, ...documentedPermissions());
  });
  afterAll(async () => {
    await rabbitmqctl('delete_user', url.username);
    await vhost.remove();
  });

  it.each<RabbitMqOptions>([
    {},
    { messageTtl: 600_000 },
    { delays: 'hold' },
    { queueType: 'quorum', messageTtl: 600_000 },
  ])('can do everything that the queue does, with %j', async (options) => {
    const kind = Object.values(options).join('-');
    const backend = await openRabbitMq(url, { ...options, queuePrefix: `shop-${kind}-` });
    await backend.connect();
    const jobs = [newJob({ queue: 'q' }), newJob({ queue: 'q' }), newJob({ queue: 'q', delaySeconds: 1 })];
    expect(await backend.store(jobs)).toEqual(jobs.map(() => ({ status: 'applied' })));
    const [first, second] = await backend.reserve(['q'], 2);
    expect(
      await backend.settle([
        { operation: 'fail', receipt: first?.receipt, failure: FAILURE },
        { operation: 'defer', receipt: second?.receipt, changes: { deferrals: 1 }, delaySeconds: 1 },
      ]),
    ).toEqual([{ status: 'applied' }, { status: 'applied' }]);
    expect(await backend.count('q')).toMatchObject({ failed: 1 });
    expect((await backend.listFailed({ queue: 'q', limit: 10 })).jobs.map(({ id }) => id)).toEqual([
      jobs[0]?.id,
    ]);
    expect(await backend.retryAllFailed('q')).toEqual({ retried: 1, duplicates: 0 });
    expect(await backend.flushFailed('q')).toBe(0);
    const receipts: unknown[] = [];
    const consumption = await backend.consume('q', {
      prefetch: 10,
      onItem: ({ receipt }) => receipts.push(receipt),
      onLost: () => undefined,
    });
    await waitFor('all three', () => receipts.length === 3);
    await consumption.stop();
    for (const receipt of receipts) {
      expect(await settleOne(backend, { operation: 'ack', receipt, followUps: [] })).toEqual({
        status: 'applied',
      });
    }
    if (backend.capabilities.clear) expect(await backend.clear('q')).toBe(0);
  });

  it('is told what it may not do, without its password', async () => {
    const elsewhere = await openRabbitMq(url, { queuePrefix: 'elsewhere-' });
    const refused = elsewhere.reserve(['q'], 1);
    await expect(refused).rejects.toBeInstanceOf(ServerRefused);
    await expect(refused).rejects.toThrow(/ACCESS_REFUSED.*docs\/rabbitmq\.md/);
    const [pushed] = await elsewhere.store([newJob({ queue: 'q' })]);
    expect(pushed).toMatchObject({ status: 'refused', error: { code: 'QUEUE_SERVER_REFUSED' } });
    const wrong = Object.assign(new URL(url), { password: 'hunter3' });
    const reaching = (await openRabbitMq(wrong)).connect();
    await expect(reaching).rejects.toThrow(/ACCESS_REFUSED/);
    await expect(reaching).rejects.not.toThrow(/hunter/);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newHeaders } from '../../lib/backends/rabbitmq/topology/index.js';
import { newJob } from '../support/new-job.js';
import { nextItem, openRabbitMq, plainChannel, settleOne } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const FAILURE = { cause: 'exhausted', error: 'Error', message: 'no', stack: null } as const;

describe.runIf(isTested('rabbitmq'))('a job with large headers of a stranger', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it('fails under its own id after a release', async () => {
    const backend = await openRabbitMq(vhost.url);
    const job = newJob({ queue: 'test-large' });
    await backend.store([newJob({ queue: 'test-large' })]);
    const declared = await nextItem(backend, 'test-large');
    await settleOne(backend, { operation: 'ack', receipt: declared.receipt, followUps: [] });
    const channel = await plainChannel(vhost.url);
    const headers = { baggage: 'x'.repeat(20_000), ...newHeaders(job), traceparent: '00-ab-cd-01' };
    channel.sendToQueue('test-large', Buffer.from(job.body), { headers });

    const { receipt } = await nextItem(backend, 'test-large');
    await settleOne(backend, { operation: 'release', receipt, delaySeconds: 0, changes: { attempts: 1 } });
    const again = await nextItem(backend, 'test-large');
    await settleOne(backend, { operation: 'fail', receipt: again.receipt, failure: FAILURE });

    const { jobs } = await backend.listFailed({ queue: 'test-large', limit: 10 });
    expect(jobs).toMatchObject([{ id: job.id, header: { attempts: 1, serial: 1 } }]);
  });
});

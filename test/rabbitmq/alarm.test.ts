import { describe, expect, it, onTestFinished } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import { PublishNotConfirmedException } from '../../lib/contract/index.js';
import { rabbitmq } from '../../lib/rabbitmq.js';
import { bareContext } from '../support/bare-context.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { newPrivateRabbitmq } from '../support/private-rabbitmq.js';
import { openRabbitMq, settleOne } from '../support/rabbitmq-queue.js';
import { isTested } from '../support/servers.js';

const CONFIRM_TIMEOUT_MS = 500;

describe.runIf(isTested('rabbitmq'))('while the memory alarm of the broker is on', () => {
  it('pushes end in time and say so once, jobs go on being taken and acknowledged', async () => {
    const server = await newPrivateRabbitmq();
    onTestFinished(() => server.remove());
    await server.start();
    const warnings: string[] = [];
    const context = { ...bareContext(), warn: (message: string) => void warnings.push(message) };
    const options = { url: server.url.href, confirmTimeoutMs: CONFIRM_TIMEOUT_MS };
    const backend = (await rabbitmq(options)(context)) as RabbitMqBackend;
    onTestFinished(() => backend.close());
    const jobs = [newJob({ queue: 'q' }), newJob({ queue: 'q' })];
    await backend.store(jobs);
    const [item] = await backend.reserve(['q'], 1);

    await server.control('set_vm_memory_high_watermark', 'absolute', '1MB');
    for (const _ of [1, 2]) {
      const [outcome] = await backend.store([newJob({ queue: 'q' })]);
      expect(outcome?.status).not.toBe('applied');
      expect(outcome).toHaveProperty('error', expect.any(PublishNotConfirmedException));
    }
    await waitFor('the warning', () => warnings.length > 0);
    // The replacement cannot be published, so the original comes again.
    const released = await settleOne(backend, {
      operation: 'release',
      receipt: item?.receipt,
      changes: { attempts: 1 },
      delaySeconds: 0,
    });
    expect(released.status).toBe('unknown');
    const items = await waitFor('both jobs', async () => {
      const taken = await backend.reserve(['q'], 2);
      return taken.length === 2 && taken;
    });
    const acks = items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
    expect(await backend.settle(acks)).toEqual([{ status: 'applied' }, { status: 'applied' }]);
    const another = await openRabbitMq(server.url, { connectionName: 'another' });
    await waitFor('the acknowledgements', async () => (await another.count('q')).ready === 0);
    await backend.close();
    expect(await another.reserve(['q'], 10)).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/connection\.blocked/)]);

    await server.control('set_vm_memory_high_watermark', '0.4');
    await backend.connect();
    await waitFor('a push after the alarm', async () => {
      const [outcome] = await backend.store([newJob({ queue: 'q' })]);
      return outcome?.status === 'applied';
    });
  }, 60_000);
});

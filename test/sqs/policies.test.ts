import { describe, expect, it } from 'vitest';
import { ServerRefused } from '../../lib/contract/index.js';
import type { SqsBackend } from '../../lib/backends/sqs/sqs.backend.js';
import { waitFor } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import type { SqsGateway } from '../support/sqs-gateway.js';
import { actionOf, documentedPolicies, queueOf, type Statement } from '../support/sqs-policies.js';
import { newJob, openSqs, type OpenSqsOptions, type SqsBench, startEmulator } from '../support/sqs-queue.js';
import { WorkerBench } from '../support/worker-bench.js';

const { pusher, worker } = documentedPolicies();

function enforce(gateway: SqsGateway, statements: readonly Statement[]): void {
  gateway.guard = (call) =>
    statements.some(
      ({ Action, Resource }) =>
        Action.includes(actionOf(call)) &&
        Resource.some((resource) => resource.endsWith(`:${queueOf(call)}`)),
    );
}

function asked(gateway: SqsGateway): readonly string[] {
  return [...new Set(gateway.calls.map((call) => `${actionOf(call)} ${queueOf(call)}`))].sort();
}

function allowed(statements: readonly Statement[], queue: string): readonly string[] {
  return statements
    .filter(({ Resource }) => Resource.some((resource) => resource.endsWith(`:${queue}`)))
    .flatMap(({ Action }) => Action.map((action) => `${action} ${queue}`));
}

describe.runIf(isTested('sqs'))('the policies of the documentation', async () => {
  const emulator = await startEmulator();

  async function openShop(statements: readonly Statement[], options: OpenSqsOptions = {}): Promise<SqsBench> {
    for (const queue of ['mail', 'imports', 'dead']) {
      await emulator.deleteQueue(`shop-${queue}`);
      await emulator.createQueue(`shop-${queue}`);
    }
    const bench = await openSqs(emulator, { queuePrefix: 'shop-', ...options });
    enforce(bench.gateway, statements);
    return bench;
  }

  it('let a pusher do what it does, and no more', async () => {
    const { backend, gateway } = await openShop(pusher);
    await backend.connect();
    const outcomes = await backend.store([newJob({ queue: 'mail' }), newJob({ queue: 'imports' })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
    await backend.count('mail');
    expect(asked(gateway)).toEqual(
      [
        ...allowed(pusher, 'shop-mail'),
        'sqs:GetQueueUrl shop-imports',
        'sqs:SendMessage shop-imports',
      ].sort(),
    );
    await expect(backend.reserve(['mail'], 1)).rejects.toThrow(ServerRefused);
    expect((await backend.store([newJob({ queue: 'dead' })]))[0]).toMatchObject({ status: 'refused' });
  });

  it('let a worker do what it does, and no more', async () => {
    const shop = await openShop(worker, { deadLetterQueue: 'dead', leaseSeconds: 3, waitTimeSeconds: 1 });
    const bench = new WorkerBench<SqsBackend>(shop.backend);
    bench.handler = async (delivery, { label }) => {
      if (label === 'fails' && delivery.attempts === 1) throw new Error('once more');
      if (label === 'fails') throw new Error('no');
      if (label === 'long') await delivery.extend({ seconds: 30 });
    };
    await bench.push('done', { queue: 'mail' });
    await bench.push('long', { queue: 'mail' });
    await bench.push('fails', { queue: 'mail', maxAttempts: 2 });
    await shop.connection.counts('mail');
    const run = bench.worker({ queues: ['mail'], concurrency: 3 });
    const running = run.run();
    await waitFor('a dead letter, and nothing else to be left', async () => {
      const [mail, dead] = [await emulator.inspect('shop-mail'), await emulator.inspect('shop-dead')];
      return mail?.ready.length === 0 && mail.inflight.length === 0 && dead?.ready.length === 1;
    });
    run.stop();
    expect((await running).exitCode).toBe(0);
    expect(asked(shop.gateway)).toEqual(
      [...allowed(worker, 'shop-mail'), ...allowed(worker, 'shop-dead')].sort(),
    );
    await expect(shop.backend.reserve(['dead'], 1)).rejects.toThrow(/docs\/sqs\.md/);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { testBackendContext } from '../../../lib/testing.js';
import { waitFor } from '../../support/eventually.js';
import { newJob } from '../../support/sql-files.js';
import { isTested } from '../../support/servers.js';
import { backendOf, type FaultConnection } from '../app/fault-environment.js';
import { FAULT_QUEUE, type FaultTarget, type Role, type TargetNeeds } from '../target.js';
import { TARGETS } from './index.js';

const kinds = Object.values(TARGETS).filter(({ name }) => isTested(name));
const remote = kinds.filter(({ name }) => name !== 'memory' && name !== 'sqlite');
const killable = remote.filter(({ name }) => name !== 'sqs');

/** A target made ready for one test, and what a process of a role would have of it. */
async function opened(kind: (typeof kinds)[number], needs: Partial<TargetNeeds>) {
  const target = await kind.open({ needs: { server: false, proxy: false, ...needs }, leaseSeconds: 2 });
  onTestFinished(() => target.close());
  const as = async (role: Role): Promise<QueueBackend> => {
    const connection = JSON.parse(target.environment(role)['FAULT_CONNECTION'] ?? '') as FaultConnection;
    const backend = await backendOf(connection)(testBackendContext());
    onTestFinished(() => backend.close());
    return backend;
  };
  return { target, as };
}

async function push(backend: QueueBackend): Promise<string | undefined> {
  const [outcome] = await backend.store([newJob({ queue: FAULT_QUEUE })]);
  return outcome?.status;
}

async function ready(target: FaultTarget): Promise<number> {
  return (await target.leftovers()).ready;
}

async function reserveOne(backend: QueueBackend) {
  return waitFor('a delivery', async () => (await backend.reserve([FAULT_QUEUE], 1))[0]);
}

describe('a target', () => {
  it.each(kinds)('$name is empty, and counts what is pushed past every wire', async (kind) => {
    const target = await kind.open({ needs: { server: false, proxy: false }, leaseSeconds: 2 });
    onTestFinished(() => target.close());
    const { backend } = await target.open();
    expect(await target.leftovers()).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
    expect(await push(backend)).toBe('applied');
    expect(await target.leftovers()).toMatchObject({ ready: 1, delayed: 0, reserved: 0 });
    expect([target.server, target.proxies]).toEqual([null, null]);
  });

  it.each(remote)('$name loses the reply of a push, which is stored', async (kind) => {
    const { target, as } = await opened(kind, { proxy: true });
    const pusher = await as('pusher');
    expect(await push(pusher)).toBe('applied');
    const lost = target.proxies?.pusher.dropReply();
    expect(await push(pusher)).toBe('unknown');
    await lost;
    expect(await ready(target)).toBe(2);
    await waitFor('the next push', async () => (await push(pusher)) === 'applied');
  });

  it.each(remote)('$name loses the reply of a settlement, and none of a reserve or a push', async (kind) => {
    const { target, as } = await opened(kind, { proxy: true });
    const [pusher, worker] = [await as('pusher'), await as('workers')];
    const lost = target.proxies?.workers.dropReply();
    expect(await push(pusher)).toBe('applied');
    const { receipt } = await reserveOne(worker);
    const [outcome] = await worker.settle([{ operation: 'ack', receipt, followUps: [] }]);
    await lost;
    if (kind.rules.answersAcks) {
      expect(outcome?.status).toBe('unknown');
      expect(await target.leftovers()).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
    } else {
      // It is the ack that was lost, and the job comes again.
      await waitFor('the job to be ready again', async () => (await ready(target)) === 1);
    }
  });

  it.each(remote)('$name: a cut wire reaches its role alone', async (kind) => {
    const { target, as } = await opened(kind, { proxy: true });
    const [pusher, worker] = [await as('pusher'), await as('workers')];
    expect([await push(pusher), await push(worker)]).toEqual(['applied', 'applied']);
    target.proxies?.workers.stall();
    const stalled = push(worker);
    expect(await push(pusher)).toBe('applied');
    expect(['unknown', 'refused']).toContain(await stalled);
    target.proxies?.workers.heal();
    await waitFor('a push over the healed wire', async () => (await push(worker)) === 'applied');
  });

  it.each(killable)('$name keeps over a kill what it has accepted', { timeout: 90_000 }, async (kind) => {
    const { target, as } = await opened(kind, { server: true });
    const pusher = await as('pusher');
    expect(await push(pusher)).toBe('applied');
    await target.server?.kill();
    expect(['unknown', 'refused']).toContain(await push(pusher));
    await target.server?.restart();
    // A quorum queue counts nothing before it has its leader back.
    await waitFor('what was stored', async () => (await ready(target).catch(() => 0)) === 1);
    await waitFor('the next push', async () => (await push(pusher)) === 'applied');
  });

  it.each(remote)('$name answers nothing while it stands still', { timeout: 90_000 }, async (kind) => {
    const { target, as } = await opened(kind, { server: true });
    const pusher = await as('pusher');
    expect(await push(pusher)).toBe('applied');
    target.server?.stop();
    expect(await push(pusher)).toBe('unknown');
    target.server?.continue();
    await waitFor('the next push', async () => (await push(pusher)) === 'applied');
  });
});

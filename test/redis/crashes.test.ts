import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const CRASHES = 20;
const BETWEEN_CRASHES = 50;
/** A worker is back at work within this. */
const BACK_MS = 10_000;

describe.runIf(isTested('redis-cluster'))(`a Redis that is killed ${CRASHES} times under load`, () => {
  it('with appendfsync always: nothing that was accepted is lost, nothing that was done comes again', async () => {
    const server = await privateRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const options = { url: server.url, leaseSeconds: 1, commandTimeoutMs: 2_000 };
    const [pusher, worker] = [await openRedis(options), await openRedis(options)];
    const accepted = new Set<string>();
    const delivered = new Set<string>();
    const acknowledged = new Set<string>();
    const load = { isOver: false };
    const push = async (): Promise<void> => {
      while (!load.isOver) {
        const job = newJob();
        const [outcome] = await pusher.store([job]);
        if (outcome?.status === 'applied') accepted.add(job.id);
      }
    };
    const workOnce = async (): Promise<void> => {
      const items = await worker.reserve(['mail'], 5).catch(() => []);
      const ids = items.map(idOf);
      expect(ids.filter((id) => acknowledged.has(id))).toEqual([]);
      for (const id of ids) delivered.add(id);
      const acks = items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
      const outcomes = await worker.settle(acks);
      for (const [index, id] of ids.entries())
        if (outcomes[index]?.status === 'applied') acknowledged.add(id);
    };
    const work = async (): Promise<void> => {
      while (!load.isOver) await workOnce();
    };
    const running = [push(), push(), work()];
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const [pushed, worked] = [accepted.size, acknowledged.size];
      const isBack = (): boolean =>
        accepted.size > pushed + BETWEEN_CRASHES && acknowledged.size > worked + BETWEEN_CRASHES;
      await waitFor(`pushes and acks after crash ${crash}`, isBack, BACK_MS);
      await server.kill();
      await server.start();
    }
    load.isOver = true;
    await Promise.all(running);
    await waitFor('the end of every job', async () => {
      await workOnce();
      const { ready, reserved } = await worker.count('mail');
      return ready === 0 && reserved === 0;
    });
    expect([...accepted].filter((id) => !delivered.has(id))).toEqual([]);
  }, 120_000);
});

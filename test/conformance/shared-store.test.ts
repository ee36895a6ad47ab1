import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ConformanceHarness, type OpenedStore, planConformance } from '../../lib/testing.js';
import { memoryHarness, openMemory } from '../support/conformance/memory-harness.js';
import { ForwardingBackend } from '../support/conformance/mutants/forwarding-backend.js';

/** One store for every case, as a server is, that takes a moment to be opened and is left as the case leaves it. */
async function sharedHarness(): Promise<{ store: OpenedStore; harness: ConformanceHarness }> {
  const store = await openMemory({ leaseSeconds: 600 });
  const open = async (): Promise<OpenedStore> => {
    await sleep(5);
    return { ...store, backend: new ForwardingBackend(store.backend), close: async () => {} };
  };
  return { store, harness: { ...memoryHarness, name: 'memory, shared', open } };
}

/** Goes away at its first settlement, as a run that is killed does. */
class DiesAtSettlement extends ForwardingBackend {
  override settle(): Promise<never> {
    return Promise.reject(new Error('killed'));
  }
}

test('all cases run one after the other on one store that keeps what they leave', async () => {
  const { harness } = await sharedHarness();
  const failed: string[] = [];
  for (const { title, run } of planConformance(harness).applicable) {
    await run(harness).catch((error: unknown) => failed.push(`${title}: ${String(error)}`));
  }
  expect(failed).toEqual([]);
}, 120_000);

test.each([
  ['names: every name that the grammar allows holds jobs of its own', 'select'],
  ['push: options left out are the job class’s own', 'conformance-settled'],
])('what a run that was killed left poisons no later one: %s', async (wanted, queue) => {
  const { store, harness } = await sharedHarness();
  const found = planConformance(harness).applicable.find(({ title }) => title === wanted);
  const killed = { ...store, backend: new DiesAtSettlement(store.backend) };
  await expect(found?.run({ ...harness, open: async () => killed })).rejects.toThrow('killed');
  await store.advance?.(601);
  expect((await store.backend.count(queue)).ready).toBe(1);

  await found?.run(harness);
  expect((await store.backend.count(queue)).ready).toBe(0);
});

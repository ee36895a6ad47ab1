import { expect, it } from 'vitest';
import { memory } from '../../lib/backends/memory/index.js';
import { newHeader } from '../../lib/contract/index.js';
import { bareContext } from '../support/bare-context.js';

const job = {
  id: '0'.repeat(32),
  queue: 'mail',
  header: newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null }),
  body: '{}',
  delaySeconds: 0,
};
const never = new AbortController().signal;

it('a wait on the memory backend ends at once when a job came between the sweep and the wait', async () => {
  const backend = await memory()(bareContext());
  expect(await backend.reserve(['mail'], 1)).toEqual([]);
  await backend.store([job]);
  let waited = false;
  const wait = backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal: never });
  const timer = setTimeout(() => (waited = true), 500);
  await wait;
  clearTimeout(timer);
  expect(waited).toBe(false);
});

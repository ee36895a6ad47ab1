import { expect, it } from 'vitest';
import { memory } from '../../lib/backends/memory/index.js';
import { canBrowse, InvalidQueueArgumentException, keepsFailedJobs } from '../../lib/contract/index.js';
import { bareContext } from '../support/bare-context.js';

it('a cursor that no page gave is refused, instead of being taken for the end', async () => {
  const backend = await memory()(bareContext());
  if (!keepsFailedJobs(backend) || !canBrowse(backend)) throw new Error('Expected memory to have both.');
  await expect(backend.listFailed({ limit: 1, cursor: 'x' })).rejects.toThrow(InvalidQueueArgumentException);
  const page = backend.listJobs({ queue: 'mail', state: 'ready', limit: 1, cursor: '-1' });
  await expect(page).rejects.toThrow(InvalidQueueArgumentException);
});

import { describe, expect, it } from 'vitest';
import { ClearableQueue, QueueAdmin } from '../../lib/queue/index.js';
import { Note } from '../../lib/testing/conformance/jobs.js';
import { isTested } from '../support/servers.js';
import { openSqs, startEmulator } from '../support/sqs-queue.js';

describe.runIf(isTested('sqs'))('what SQS cannot do', async () => {
  const emulator = await startEmulator();

  it('clearing is refused, and the error says why', async () => {
    const { api, gateway } = await openSqs(emulator);
    expect(() => new ClearableQueue(api)).toThrow(
      /"sqs" cannot\. PurgeQueue of SQS deletes what workers hold.*Use a/,
    );
    expect(gateway.calls).toEqual([]);
  });

  it('looking after failed jobs is refused, and the error says where they are', async () => {
    const { api } = await openSqs(emulator, { deadLetterQueue: 'dead' });
    expect(() => new QueueAdmin(api)).toThrow(/SQS shows a message only by receiving it.*deadLetterQueue/);
  });

  it.each([
    ['a priority', { priority: 1 }, /priority/],
    ['a unique key', { uniqueKey: 'k' }, /uniqueKey/],
    ['a transaction', { transaction: {} }, /transaction/],
  ])('%s is refused before anything is sent', async (_what, options, message) => {
    const { api, queue, gateway } = await openSqs(emulator);
    await expect(api.push(new Note('a'), { queue, ...options })).rejects.toThrow(message);
    expect(gateway.calls).toEqual([]);
  });
});

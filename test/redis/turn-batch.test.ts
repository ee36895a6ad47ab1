import { expect, test } from 'vitest';
import { TurnBatch } from '../../lib/backends/redis/turn-batch.js';
import { newJob, newPrefix, openRedis, scriptsRunBy } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

function recording(fail?: (queue: string) => Error | undefined) {
  const steps: [string, readonly number[]][] = [];
  const batch = new TurnBatch<number, string>({
    maxWeight: 10,
    weightOf: (entry) => entry,
    async run(queue, entries) {
      steps.push([queue, entries]);
      const error = fail?.(queue);
      if (error !== undefined) throw error;
      return entries.map((entry) => `${queue} ${entry}`);
    },
  });
  return { batch, steps };
}

test('what comes in one turn is one step for each queue, and everybody gets his own outcomes', async () => {
  const { batch, steps } = recording();
  const outcomes = await Promise.all([
    batch.add('mail', [1, 2]),
    batch.add('news', [1]),
    Promise.resolve().then(() => batch.add('mail', [3])),
  ]);
  expect(steps).toEqual([
    ['mail', [1, 2, 3]],
    ['news', [1]],
  ]);
  expect(outcomes).toEqual([['mail 1', 'mail 2'], ['news 1'], ['mail 3']]);
});

test('a step takes no more than its weight, but what came together stays together', async () => {
  const { batch, steps } = recording();
  await Promise.all([
    batch.add('mail', [6]),
    batch.add('mail', [5]),
    batch.add('mail', [9, 9]),
    batch.add('mail', [1]),
  ]);
  expect(steps.map(([, entries]) => entries)).toEqual([[6], [5], [9, 9], [1]]);
});

test('an error of a step reaches all that were in it, and nobody else', async () => {
  const { batch } = recording((queue) => (queue === 'mail' ? new Error('no') : undefined));
  const outcomes = await Promise.allSettled([
    batch.add('mail', [1]),
    batch.add('mail', [2]),
    batch.add('news', [1]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test.runIf(isTested('redis'))('a hundred pushes, and a hundred acks, cost one round trip', async () => {
  const backend = await openRedis({ prefix: newPrefix().prefix });
  await backend.store([newJob()]);
  const ran = scriptsRunBy(backend);
  await Promise.all(Array.from({ length: 100 }, () => backend.store([newJob()])));
  const items = await backend.reserve(['mail'], 101);
  await Promise.all(
    items.map(({ receipt }) => backend.settle([{ operation: 'ack', receipt, followUps: [] }])),
  );
  expect(items).toHaveLength(101);
  expect(ran.filter((name) => name !== 'reserve')).toEqual(['store', 'ack']);
  expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 0 });
});

test.runIf(isTested('redis'))('a reserve comes after what was settled before it, unanswered', async () => {
  const backend = await openRedis({ prefix: newPrefix().prefix });
  await backend.store([newJob(), newJob()]);
  const [first] = await backend.reserve(['mail'], 1);
  const release = { operation: 'release', receipt: first?.receipt, changes: {}, delaySeconds: 0 } as const;
  const settling = backend.settle([release]);
  const again = await backend.reserve(['mail'], 1);
  expect(await settling).toEqual([{ status: 'applied' }]);
  expect(again.map(({ body }) => body)).toEqual([first?.body]);
});

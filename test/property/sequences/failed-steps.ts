import assert from 'node:assert/strict';
import type { ModelJob } from './model-job.js';
import { picked } from './picked.js';
import type { World } from './world.js';

const MANY = 1_000;

/** Puts a failed job back, unless another has its unique key by now. One that did not fail is missing. */
export async function retry(world: World, { pick }: { readonly pick: number }): Promise<void> {
  const { model } = world;
  const job = picked(failedFirst(world), pick);
  if (job === undefined) return;
  const failed = job.state === 'failed';
  const expected = !failed ? 'missing' : model.holdsKey(job.queue, job.key) ? 'duplicate' : 'retried';
  const outcome = await world.admin().failed.retry(job.id, { queue: job.queue });
  assert.equal(outcome, expected, `retry() of "${job.text}", which is ${job.state}`);
  if (outcome === 'retried') model.retry(job);
}

/** Puts all of a queue's failed jobs back; of those with one key, one. */
export async function retryAll(world: World, step: { readonly queue: number }): Promise<void> {
  const { model } = world;
  const queue = world.queue(step.queue);
  const failed = model.in('failed', queue);
  const result = await world.admin().failed.retryAll({ queue });
  const left = new Set(await listed(world, queue));
  for (const job of failed.filter(({ id }) => !left.has(id))) {
    assert.ok(!model.holdsKey(queue, job.key), `"${job.text}" came back though its key was held`);
    model.retry(job);
  }
  const duplicates = model.in('failed', queue);
  for (const { text, key } of duplicates)
    assert.ok(model.holdsKey(queue, key), `"${text}" did not come back`);
  const expected = { retried: failed.length - duplicates.length, duplicates: duplicates.length };
  assert.deepEqual({ ...result }, expected, 'what retryAll() answers');
}

export async function forget(world: World, { pick }: { readonly pick: number }): Promise<void> {
  const job = picked(failedFirst(world), pick);
  if (job === undefined) return;
  const forgotten = await world.admin().failed.forget(job.id, { queue: job.queue });
  assert.equal(forgotten, job.state === 'failed', `forget() of "${job.text}", which is ${job.state}`);
  if (forgotten) world.model.remove(job);
}

export async function flush(world: World, step: { readonly queue: number }): Promise<void> {
  const queue = world.queue(step.queue);
  const failed = world.model.in('failed', queue);
  assert.equal(await world.admin().failed.flush({ queue }), failed.length, 'how many jobs flush() deleted');
  for (const job of failed) world.model.remove(job);
}

/** Fails unless the failed store holds what it should. */
export async function expectFailed(world: World, queue: string): Promise<void> {
  const expected = world.model.in('failed', queue).map(({ id }) => id);
  assert.deepEqual(
    (await listed(world, queue)).toSorted(),
    expected.toSorted(),
    `the failed jobs of ${queue}`,
  );
}

async function listed(world: World, queue: string): Promise<string[]> {
  const { jobs } = await world.admin().failed.list({ queue, limit: MANY });
  return jobs.map(({ id }) => id);
}

/** Mostly jobs that failed; the others are there to be missing. */
function failedFirst({ model }: World): ModelJob[] {
  const failed = model.in('failed');
  return [
    ...failed,
    ...failed,
    ...model
      .jobs()
      .filter(({ state }) => state !== 'failed')
      .slice(0, 2),
  ];
}

import assert from 'node:assert/strict';
import { picked } from './picked.js';
import type { StepOf } from './step.js';
import type { World } from './world.js';

export async function advance(world: World, { units }: StepOf<'advance'>): Promise<void> {
  await world.advance(units);
}

export async function count(world: World, step: { readonly queue: number }): Promise<void> {
  const queue = world.queue(step.queue);
  const { ready, delayed, reserved, failed, paused } = await world.by(0).connection.counts(queue);
  assert.deepEqual(
    { ready, delayed, reserved, failed, paused },
    world.model.counts(queue),
    `counts of ${queue}`,
  );
}

/** Removes what waits, and no reservation, even a lost one. */
export async function clear(world: World, step: { readonly queue: number }): Promise<void> {
  const queue = world.queue(step.queue);
  const waiting = world.model.in('waiting', queue);
  assert.equal(
    await world.clearable().clear(queue),
    waiting.length,
    'how many jobs clear() says that it removed',
  );
  for (const job of waiting) world.model.remove(job);
}

export async function pause(world: World, step: { readonly queue: number }): Promise<void> {
  const queue = world.queue(step.queue);
  await world.admin().pause(queue);
  world.model.paused.add(queue);
}

export async function resume(world: World, step: { readonly queue: number }): Promise<void> {
  const queue = world.queue(step.queue);
  await world.admin().resume(queue);
  world.model.paused.delete(queue);
}

/** Makes a delayed job ready. */
export async function promote(world: World, { pick }: { readonly pick: number }): Promise<void> {
  const { model } = world;
  const job = picked(
    model.in('waiting').filter(({ dueAt }) => dueAt > model.now),
    pick,
  );
  if (job === undefined) return;
  assert.equal(await world.admin().browse.promote(job.queue, job.id), true, `promote() of "${job.text}"`);
  model.promote(job);
}

/** Removes a job that waits; one that is reserved, failed or gone is none. */
export async function remove(world: World, { pick }: { readonly pick: number }): Promise<void> {
  const job = picked(world.model.jobs(), pick);
  if (job === undefined) return;
  const removed = await world.admin().browse.remove(job.queue, job.id);
  assert.equal(removed, job.state === 'waiting', `remove() of "${job.text}", which is ${job.state}`);
  if (removed) world.model.remove(job);
}

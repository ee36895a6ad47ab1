import assert from 'node:assert/strict';
import { BriefNote, Note } from './jobs.js';
import type { StepOf } from './step.js';
import { BRIEF_LEASE_UNITS, LEASE_UNITS, secondsOf } from './time.js';
import type { World } from './world.js';

/** Stores jobs in one call; those whose unique key is held are answered null. */
export async function push(world: World, step: StepOf<'push'>): Promise<void> {
  const { model } = world;
  const queue = world.queue(step.queue);
  const first = model.jobs().length;
  const entries = step.entries.map(({ delay, priority, key, brief }, index) => ({
    job: new (brief ? BriefNote : Note)(`${queue.slice(-1)}${first + index}`),
    queue,
    delaySeconds: secondsOf(delay),
    // Some number that belongs to this job alone.
    maxAttempts: first + index,
    ...(priority === 0 ? {} : { priority }),
    ...(key === null ? {} : { uniqueKey: key }),
  }));
  const ids = await world.by(step.by).queue.pushMany(entries);
  assert.equal(ids.length, entries.length, 'how many ids pushMany() answers');
  for (const [index, { delay, priority, key, brief }] of step.entries.entries()) {
    const id = ids[index] ?? null;
    const isDuplicate = model.holdsKey(queue, key);
    assert.equal(id === null, isDuplicate, `whether entry ${index} with the key ${key} is a duplicate`);
    if (id === null) continue;
    const leaseUnits = brief ? BRIEF_LEASE_UNITS : LEASE_UNITS;
    const text = entries[index]?.job.text ?? '';
    model.add({ id, queue, text, priority, key, leaseUnits, delay, maxAttempts: first + index });
  }
}

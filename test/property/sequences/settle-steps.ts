import assert from 'node:assert/strict';
import { type QueuedJob, StaleJobHandleException } from '../../../lib/contract/index.js';
import type { Settler } from '../../../lib/queue/index.js';
import type { ModelJob } from './model-job.js';
import { picked } from './picked.js';
import type { Ending, StepOf } from './step.js';
import { secondsOf } from './time.js';
import type { World } from './world.js';

/** Ends a delivery. */
export async function settle(world: World, { pick, how, delay }: StepOf<'settle'>): Promise<void> {
  const job = picked(current(world), pick);
  if (job?.delivery == null) return;
  await end(world.by(job.heldBy).connection.settler, job.delivery, how, delay);
  world.model.settle(job, how, delay);
}

/** Settles a delivery that has ended: that is told, and changes nothing. */
export async function settleAgain(world: World, { pick, how }: StepOf<'settle-again'>): Promise<void> {
  const former = picked(world.model.ended, pick);
  if (former === undefined) return;
  const { settler } = world.by(former.heldBy).connection;
  const settled =
    how === 'extend'
      ? settler.extend(former.delivery, { seconds: secondsOf(5) })
      : end(settler, former.delivery, how, 0);
  await assert.rejects(settled, StaleJobHandleException, `${how} of a delivery that has ended`);
}

/** Lets a lease end so many units from now, sooner or later than it would have. */
export async function extend(world: World, { pick, units }: StepOf<'extend'>): Promise<void> {
  const job = picked(current(world), pick);
  if (job?.delivery == null) return;
  await world.by(job.heldBy).connection.settler.extend(job.delivery, { seconds: secondsOf(units) });
  world.model.extend(job, units);
}

/**
 * Deliveries that can be settled. A lost one that nobody reclaimed is among them where settlements are fenced; elsewhere
 * nobody knows what becomes of it.
 */
function current({ model, capabilities }: World): ModelJob[] {
  return model.in('held').filter(({ dueAt }) => capabilities.fencedSettlement || dueAt > model.now);
}

function end(settler: Settler, delivery: QueuedJob, how: Ending, delay: number): Promise<void> {
  const options = { delaySeconds: secondsOf(delay) };
  switch (how) {
    case 'ack':
      return settler.ack(delivery);
    case 'fail':
      return settler.fail(delivery, new Error('given up on'));
    case 'release':
      return settler.release(delivery, options);
    case 'defer':
      return settler.defer(delivery, options);
    case 'give-back':
      return settler.giveBack(delivery, options);
  }
}

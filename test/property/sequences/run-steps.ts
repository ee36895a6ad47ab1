import assert from 'node:assert/strict';
import type { ConformanceHarness } from '../../../lib/testing.js';
import * as failedSteps from './failed-steps.js';
import { expectFailed } from './failed-steps.js';
import { push } from './push-step.js';
import * as queueSteps from './queue-steps.js';
import { reserve } from './reserve-step.js';
import { extend, settle, settleAgain } from './settle-steps.js';
import type { Step, StepOf } from './step.js';
import { ALL_OVER_UNITS } from './time.js';
import { openWorld, type World } from './world.js';

type Run<Kind extends Step['kind']> = (world: World, step: StepOf<Kind>) => Promise<void>;

const runs: { readonly [Kind in Step['kind']]: Run<Kind> } = {
  push,
  reserve,
  settle,
  'settle-again': settleAgain,
  extend,
  advance: queueSteps.advance,
  count: queueSteps.count,
  clear: queueSteps.clear,
  pause: queueSteps.pause,
  resume: queueSteps.resume,
  promote: queueSteps.promote,
  remove: queueSteps.remove,
  retry: failedSteps.retry,
  'retry-all': failedSteps.retryAll,
  forget: failedSteps.forget,
  flush: failedSteps.flush,
};

/** Does the steps on a store of the harness, beside the model, and then takes everything that is left. */
export async function runSteps(harness: ConformanceHarness, steps: readonly Step[]): Promise<void> {
  const { world, close } = await openWorld(harness);
  try {
    for (const step of steps) await (runs[step.kind] as Run<Step['kind']>)(world, step as never);
    await drain(world);
  } catch (error) {
    // What the steps found wins over a store that then cannot be closed.
    await close().catch(() => undefined);
    throw error;
  }
  await close();
}

/** Every job that the model still has comes once more, and nothing else does. */
async function drain(world: World): Promise<void> {
  const { model, capabilities } = world;
  if (capabilities.pause) for (const queue of [0, 1]) await queueSteps.resume(world, { queue });
  for (const queue of world.queues) if (capabilities.failedJobs !== 'no') await expectFailed(world, queue);
  if (capabilities.extend) await world.advance(ALL_OVER_UNITS);
  await ackHeld(world);
  for (const queue of [0, 1]) {
    while (model.ready(world.queue(queue)).length > 0) {
      await reserve(world, { kind: 'reserve', queues: [queue], limit: 100, by: 0 });
      await ackHeld(world);
    }
    await reserve(world, { kind: 'reserve', queues: [queue], limit: 1, by: 1 });
    if (capabilities.exactCounts) await queueSteps.count(world, { queue });
  }
  const waiting = model.in('waiting').filter(({ dueAt }) => dueAt <= model.now);
  assert.deepEqual(waiting, [], 'jobs that did not come');
}

async function ackHeld(world: World): Promise<void> {
  for (let held = -1; held !== world.model.in('held').length;) {
    held = world.model.in('held').length;
    await settle(world, { kind: 'settle', pick: 0, how: 'ack', delay: 0 });
  }
}

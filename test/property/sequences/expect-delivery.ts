import assert from 'node:assert/strict';
import type { Capabilities, QueuedJob } from '../../../lib/contract/index.js';
import type { Model } from './model.js';
import type { ModelJob } from './model-job.js';

/**
 * Fails unless the contract allows this delivery to come next from these queues. `before`: the jobs that are ready.
 * Answers the model's job.
 */
export function expectDelivery(
  model: Model,
  delivery: QueuedJob,
  queues: readonly string[],
  capabilities: Capabilities,
): ModelJob {
  const job = model.find(delivery.id);
  assert.ok(job !== undefined, `a job came that nobody pushed: ${delivery.id}`);
  const what = `"${job.text}"`;
  assert.ok(queues.includes(delivery.queue), `${what} came from a queue that was not asked for`);
  assert.equal(delivery.queue, job.queue, `the queue of ${what}`);
  assert.ok(!model.paused.has(job.queue), `${what} came from a paused queue`);
  const ready = model.ready(job.queue);
  assert.ok(ready.includes(job), `${what} came though it is ${stateOf(job, model)}`);
  expectContents(model, job, delivery, capabilities);
  if (capabilities.keepsOrder) {
    expectOrder(job, ready);
    const earlier = queues.slice(0, queues.indexOf(job.queue)).filter((queue) => !model.paused.has(queue));
    const left = earlier.flatMap((queue) => model.ready(queue));
    assert.deepEqual(
      left.map(({ text }) => text),
      [],
      `what an earlier queue of the list still had when ${what} came`,
    );
  }
  return job;
}

function stateOf({ state, dueAt }: ModelJob, { now }: Model): string {
  return `${state}, due at ${dueAt}, and it is ${now}`;
}

function expectContents(model: Model, job: ModelJob, delivery: QueuedJob, capabilities: Capabilities): void {
  const what = `"${job.text}"`;
  assert.deepEqual(delivery.args, { text: job.text }, 'the arguments of a job');
  assert.equal(delivery.attempts, model.nextAttempt(job), `attempts of ${what}`);
  assert.equal(delivery.maxAttempts, job.maxAttempts, `maxAttempts of ${what}`);
  if (capabilities.freeDeferral) assert.equal(delivery.deferrals, job.deferrals, `deferrals of ${what}`);
  if (capabilities.priorityLevels !== 'none')
    assert.equal(delivery.priority, job.priority, `priority of ${what}`);
  if (!capabilities.fencedSettlement || job.delivery === null) return;
  assert.ok(delivery.header.serial > job.delivery.header.serial, `the serial of ${what} was not raised`);
}

function expectOrder(job: ModelJob, ready: readonly ModelJob[]): void {
  const above = ready.filter(({ rank }) => rank > job.rank);
  assert.deepEqual(
    above.map(({ text }) => text),
    [],
    `jobs of a higher rank that "${job.text}" overtook`,
  );
  if (placeOf(job) !== 'fresh') return;
  const sameRank = ready.filter(({ rank }) => rank === job.rank);
  const overtaken = sameRank.filter(
    (other) => placeOf(other) === 'returned' || (placeOf(other) === 'fresh' && other.order < job.order),
  );
  assert.deepEqual(
    overtaken.map(({ text }) => text),
    [],
    `jobs that "${job.text}" overtook`,
  );
}

/** A job whose lease ended was delivered, whatever it was before. */
function placeOf({ state, place }: ModelJob): ModelJob['place'] {
  return state === 'held' ? 'anywhere' : place;
}

import assert from 'node:assert/strict';
import { QueuedJob, StaleJobHandleException } from '../../../lib/contract/index.js';
import type { ReserveAnswer } from '../../../lib/queue/index.js';
import { expectDelivery } from './expect-delivery.js';
import type { StepOf } from './step.js';
import { secondsOf } from './time.js';
import type { World } from './world.js';

const NEVER = new AbortController().signal;

/** Takes what there is, at most the limit: neither more nor less than that, in an order that the contract allows. */
export async function reserve(world: World, step: StepOf<'reserve'>): Promise<void> {
  const { model, capabilities } = world;
  const queues = step.queues.map((index) => world.queue(index));
  const ready = queues.filter((queue) => !model.paused.has(queue)).flatMap((queue) => model.ready(queue));
  const expected = Math.min(step.limit, ready.length);
  const answers = await take(world, step, queues, expected);
  for (const answer of answers) {
    assert.ok(answer instanceof QueuedJob, `expected a job, came ${answer.constructor.name}`);
    model.deliver(expectDelivery(model, answer, queues, capabilities), answer, step.by);
  }
  assert.equal(answers.length, expected, 'how many jobs came');
  if (capabilities.fencedSettlement) await learnReclaimed(world, queues);
}

/** Where a sweep may find less than there is, or a job may show late, some patience finds it. */
async function take(
  world: World,
  { limit, by }: StepOf<'reserve'>,
  queues: readonly string[],
  expected: number,
): Promise<ReserveAnswer[]> {
  const { connection } = world.by(by);
  const { keepsOrder, exactCounts } = world.capabilities;
  if ((keepsOrder && exactCounts) || expected === 0) return connection.reserve(queues, limit);
  const answers: ReserveAnswer[] = [];
  while (answers.length < expected) {
    const look = { limit: limit - answers.length, timeoutMs: world.patienceMs, signal: NEVER };
    const { answers: found } = await connection.next(queues, look);
    if (found.length === 0) break;
    answers.push(...found);
  }
  return answers;
}

/**
 * A sweep may put a lost job back that it then does not hand out, or leave it where it is; the contract allows both. The
 * holder asks for a longer lease, and learns which it was.
 */
async function learnReclaimed(world: World, queues: readonly string[]): Promise<void> {
  const { model } = world;
  const lost = queues.flatMap((queue) => model.in('held', queue)).filter(({ dueAt }) => dueAt <= model.now);
  for (const job of lost) {
    if (job.delivery === null) continue;
    const { settler } = world.by(job.heldBy).connection;
    try {
      await settler.extend(job.delivery, { seconds: secondsOf(job.leaseUnits) });
      model.extend(job, job.leaseUnits);
    } catch (error) {
      if (!(error instanceof StaleJobHandleException)) throw error;
      model.reclaim(job);
    }
  }
}

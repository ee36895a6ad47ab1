import {
  type ChainStep,
  encodeBody,
  newHeader,
  type NewJob,
  type PushSpan,
  type QueuedJob,
} from '../contract/index.js';
import { encodeArguments } from '../jobs/index.js';
import { carrierOf } from './carrier.js';
import type { CheckedPush } from './prepare-push.js';

/** Serializes a step of a chain that is stored later. */
export function encodeStep(push: CheckedPush, metadata: Readonly<Record<string, string>>): ChainStep {
  const { definition } = push;
  return {
    id: push.id,
    queue: push.queue,
    class: definition.name,
    args: encodeArguments(definition, push.job),
    maxAttempts: push.maxAttempts,
    priority: push.priority,
    leaseSeconds: definition.leaseSeconds,
    delaySeconds: push.delaySeconds,
    metadata,
  };
}

const NOTHING: readonly NewJob[] = [];

/**
 * What the ack of a job stores: the next job of its chain, with the rest of the chain, or nothing. Of the metadata that it
 * inherits, telemetry's keys are those of the push before: the span of this one takes their place.
 */
export function followUpsOf(job: QueuedJob, span: PushSpan | null): readonly NewJob[] {
  if (job.body.chain.length === 0) return NOTHING;
  const [step, ...chain] = job.body.chain;
  if (step === undefined) return NOTHING;
  const { id, queue, args, maxAttempts, priority, leaseSeconds, delaySeconds } = step;
  const body = encodeBody({
    id,
    pushedAt: new Date().toISOString(),
    class: step.class,
    args,
    maxAttempts,
    metadata: { ...job.metadata, ...carrierOf(span), ...step.metadata },
    chain,
  });
  return [{ id, queue, header: newHeader({ leaseSeconds, priority, uniqueKey: null }), body, delaySeconds }];
}

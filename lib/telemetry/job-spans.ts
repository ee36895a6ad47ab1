import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { DeliveryOutcome, JobSpan, QueuedJob } from '../contract/index.js';
import {
  ERROR_TYPE,
  FAILURE_CAUSE,
  JOB_ATTEMPT,
  JOB_NAME,
  MESSAGE_ID,
  operationAttributes,
  OUTCOME,
} from './attributes.js';
import { errorTypeOf } from './error-type.js';
import { failSpan, recordJobError } from './fail-span.js';
import type { Instruments } from './instruments.js';

export interface JobSpanOptions {
  readonly follows: 'parent' | 'link';
  readonly recordExceptions: boolean;
}

/** A span of kind CONSUMER for one delivery: each attempt of a job has its own, beside the others. */
export function startJobSpan(
  tracer: Tracer,
  instruments: Instruments,
  job: QueuedJob,
  connection: string,
  { follows, recordExceptions }: JobSpanOptions,
): JobSpan {
  const { pushed, around } = contextsOf(job);
  const creation = trace.getSpanContext(pushed);
  const attributes = {
    ...operationAttributes('process', connection, job.queue),
    [JOB_NAME]: job.class,
    [MESSAGE_ID]: job.id,
    [JOB_ATTEMPT]: job.attempts,
  };
  const links = creation === undefined ? [] : [{ context: creation }];
  const options = { kind: SpanKind.CONSUMER, attributes, links };
  const span = tracer.startSpan(`process ${job.queue}`, options, follows === 'parent' ? pushed : around);
  const within = trace.setSpan(around, span);
  const startedAt = performance.now();
  return {
    run: (work) => context.with(within, work),
    end: (error, outcome) => {
      endSpan(span, error, outcome, recordExceptions);
      measure(instruments, job, connection, (performance.now() - startedAt) / 1_000, error, outcome);
    },
  };
}

/**
 * The push that the job carries, and the same without its span. Whatever span happens to be active is no parent: it is that
 * of the request, long over, during which a connection was opened. The rest of the active context is a middleware's.
 */
function contextsOf(job: QueuedJob): { readonly pushed: Context; readonly around: Context } {
  const pushed = propagation.extract(trace.deleteSpan(context.active()), job.metadata);
  return { pushed, around: trace.deleteSpan(pushed) };
}

function endSpan(span: Span, error: unknown, outcome: DeliveryOutcome, recordExceptions: boolean): void {
  span.setAttribute(OUTCOME, outcomeOf(outcome));
  if (outcome.cause !== null) span.setAttribute(FAILURE_CAUSE, outcome.cause);
  if (outcome.jobFailed || error !== undefined) failSpan(span, error);
  if (outcome.jobFailed && recordExceptions) recordJobError(span, error, outcome.secrets());
  span.end();
}

function measure(
  instruments: Instruments,
  job: QueuedJob,
  connection: string,
  seconds: number,
  error: unknown,
  outcome: DeliveryOutcome,
): void {
  const attributes = {
    ...operationAttributes('process', connection, job.queue),
    [JOB_NAME]: job.class,
    [OUTCOME]: outcomeOf(outcome),
    ...(outcome.jobFailed || error !== undefined ? { [ERROR_TYPE]: errorTypeOf(error) } : {}),
  };
  instruments.consumed.add(1, attributes);
  instruments.processDuration.record(seconds, attributes);
  if (outcome.settlement === 'applied') return;
  const { lostSettlements, unknownSettlements } = instruments;
  const counter = outcome.settlement === 'stale' ? lostSettlements : unknownSettlements;
  counter.add(1, { ...operationAttributes('process', connection, job.queue), [JOB_NAME]: job.class });
}

/** In one word: what the worker made of it, unless the backend does not hold it so. */
function outcomeOf({ became, settlement }: DeliveryOutcome): string {
  if (settlement === 'applied') return became === 'given-back' ? 'given_back' : became;
  return settlement === 'stale' ? 'lost' : 'unknown';
}

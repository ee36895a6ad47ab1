import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import {
  InvalidQueueArgumentException,
  type PushDescription,
  type PushSpan,
  type StoreOutcome,
  UnserializableJobException,
} from '../contract/index.js';
import {
  BATCH_MESSAGE_COUNT,
  ERROR_TYPE,
  JOB_NAME,
  MESSAGE_ID,
  operationAttributes,
  OUTCOME,
} from './attributes.js';
import { errorTypeOf } from './error-type.js';
import { failSpan } from './fail-span.js';
import type { Instruments } from './instruments.js';

/** What became of one job of a push. */
type PushOutcome = 'stored' | 'duplicate' | 'refused' | 'unknown';

/**
 * A span of kind PRODUCER whose context travels with the job. A push of many has one span, whose context every job
 * carries: a span for each would make 10,000 of one call.
 */
export function startPushSpan(
  tracer: Tracer,
  instruments: Instruments,
  pushes: readonly PushDescription[],
  batch: boolean,
): PushSpan {
  const span = tracer.startSpan(nameOf(pushes), {
    kind: SpanKind.PRODUCER,
    attributes: attributesOf(pushes, batch),
  });
  const carrier: Record<string, string> = {};
  const within = trace.setSpan(context.active(), span);
  propagation.inject(within, carrier);
  const startedAt = performance.now();
  return {
    carrier,
    run: (work) => context.with(within, work),
    end: (error, outcomes) => {
      endSpan(span, error, outcomes, batch);
      measure(instruments, pushes, (performance.now() - startedAt) / 1_000, error, outcomes);
    },
  };
}

function nameOf(pushes: readonly PushDescription[]): string {
  const queue = onlyOf(pushes, 'queue');
  return queue === null ? 'push' : `push ${queue}`;
}

function attributesOf(pushes: readonly PushDescription[], batch: boolean): Attributes {
  const [first] = pushes;
  const name = onlyOf(pushes, 'class');
  return {
    ...operationAttributes('push', first?.connection ?? '', onlyOf(pushes, 'queue')),
    ...(name === null ? {} : { [JOB_NAME]: name }),
    ...(batch ? { [BATCH_MESSAGE_COUNT]: pushes.length } : { [MESSAGE_ID]: first?.id ?? '' }),
  };
}

/** What all have in common, null where they differ. */
function onlyOf(pushes: readonly PushDescription[], key: 'queue' | 'class'): string | null {
  const value = pushes[0]?.[key] ?? null;
  return pushes.every((push) => push[key] === value) ? value : null;
}

function endSpan(span: Span, error: unknown, outcomes: readonly StoreOutcome[] | null, batch: boolean): void {
  if (!batch) span.setAttribute(OUTCOME, outcomeOf(outcomes?.[0], error));
  if (error !== undefined) failSpan(span, error);
  span.end();
}

function measure(
  instruments: Instruments,
  pushes: readonly PushDescription[],
  seconds: number,
  error: unknown,
  outcomes: readonly StoreOutcome[] | null,
): void {
  // What was refused before it was sent is no message that a producer tried to send.
  if (outcomes === null && isRefusal(error)) return;
  const [first] = pushes;
  if (first === undefined) return;
  const failed = error === undefined ? {} : { [ERROR_TYPE]: errorTypeOf(error) };
  const whole = operationAttributes('push', first.connection, onlyOf(pushes, 'queue'));
  instruments.pushDuration.record(seconds, { ...whole, ...failed });
  for (const [index, { connection, queue }] of pushes.entries()) {
    const outcome = outcomes?.[index];
    const own = outcome === undefined ? error : 'error' in outcome ? outcome.error : undefined;
    instruments.sent.add(1, {
      ...operationAttributes('push', connection, queue),
      [OUTCOME]: outcomeOf(outcome, error),
      ...(own === undefined ? {} : { [ERROR_TYPE]: errorTypeOf(own) }),
    });
  }
}

function outcomeOf(outcome: StoreOutcome | undefined, error: unknown): PushOutcome {
  if (outcome !== undefined) return outcome.status === 'applied' ? 'stored' : outcome.status;
  if (error === undefined) return 'stored';
  return isRefusal(error) ? 'refused' : 'unknown';
}

function isRefusal(error: unknown): boolean {
  return error instanceof UnserializableJobException || error instanceof InvalidQueueArgumentException;
}

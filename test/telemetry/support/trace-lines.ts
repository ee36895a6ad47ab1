import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/**
 * Traces as lines of text, a child below its parent and further in, siblings by what they say. A span without a parent
 * among `spans` begins a trace.
 */
export function traceLines(spans: readonly ReadableSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const roots = spans.filter(({ parentSpanContext }) => !ids.has(parentSpanContext?.spanId ?? ''));
  return linesOf(roots, spans);
}

function linesOf(siblings: readonly ReadableSpan[], all: readonly ReadableSpan[]): string[] {
  return siblings
    .map((span) => {
      const { spanId, traceId } = span.spanContext();
      const children = all.filter(
        ({ parentSpanContext: parent }) => parent?.spanId === spanId && parent.traceId === traceId,
      );
      return [textOf(span), ...linesOf(children, all).map((line) => `  ${line}`)];
    })
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .flat();
}

/** Kind, name, job, attempt, outcome, and what failed. */
function textOf({ kind, name, attributes, status }: ReadableSpan): string {
  const attempt = attributes['kinetis_queue.job.attempt'];
  return [
    `${SpanKind[kind]} ${name}`,
    attributes['kinetis_queue.job.name'],
    attempt === undefined ? undefined : `#${attempt}`,
    attributes['kinetis_queue.outcome'],
    status.code === SpanStatusCode.ERROR ? attributes['error.type'] : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { failureOf } from '../queue/index.js';
import { ERROR_TYPE } from './attributes.js';
import { errorTypeOf } from './error-type.js';

/** Marks a span as failed, by the class of the error only: messages may hold parts of a payload, or of a statement. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute(ERROR_TYPE, errorTypeOf(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Adds what a job threw, without `secrets`, in the form that the conventions have for exceptions. */
export function recordJobError(span: Span, error: unknown, secrets: readonly string[]): void {
  const { message, stack } = failureOf(error, 'fatal', secrets);
  span.recordException({ name: errorTypeOf(error), message, ...(stack === null ? {} : { stack }) });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

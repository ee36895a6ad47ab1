import type { Failure, FailureCause } from '../contract/index.js';

/** Longest text of an error that is kept, in characters. */
const MAX_MESSAGE_LENGTH = 8_192;
const MAX_STACK_LENGTH = 32_768;

/** What the failed store keeps of an error: text that any database accepts, cut to a bounded length. Never throws. */
export function failureOf(error: unknown, cause: FailureCause): Failure {
  return {
    cause,
    error: safeText(() => (error instanceof Error ? error.name : typeof error), 256),
    message: safeText(() => (error instanceof Error ? error.message : String(error)), MAX_MESSAGE_LENGTH),
    stack:
      error instanceof Error && error.stack !== undefined
        ? safeText(() => error.stack, MAX_STACK_LENGTH)
        : null,
  };
}

/** NUL and lone surrogates are refused by databases: recording a failure must never fail because of its text. */
function safeText(read: () => unknown, maxLength: number): string {
  try {
    return String(read()).slice(0, maxLength).replaceAll('\0', '\\0').toWellFormed();
  } catch {
    return '(unreadable)';
  }
}

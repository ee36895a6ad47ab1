import type { Failure, FailureCause } from '../contract/index.js';
import { REDACTED } from '../jobs/index.js';
import { messageWithCauses } from './error-causes.js';

/** Longest text of an error that is kept, in characters. */
const MAX_NAME_LENGTH = 256;
const MAX_MESSAGE_LENGTH = 8_192;
const MAX_STACK_LENGTH = 32_768;

/**
 * What the failed store keeps of an error: text that any database accepts, cut to a bounded length, with `[redacted]` in
 * place of each secret. Never throws.
 */
export function failureOf(error: unknown, cause: FailureCause, secrets: readonly string[] = []): Failure {
  const spellings = spellingsOf(secrets);
  const name = safeText(
    () => (error instanceof Error ? error.name : typeof error),
    spellings,
    MAX_NAME_LENGTH,
  );
  const message = safeText(() => messageWithCauses(error), spellings, MAX_MESSAGE_LENGTH);
  return { cause, error: name, message, stack: stackOf(error, spellings) };
}

function stackOf(error: unknown, spellings: readonly string[]): string | null {
  try {
    if (!(error instanceof Error) || error.stack === undefined) return null;
  } catch {
    return null;
  }
  return safeText(() => error.stack, spellings, MAX_STACK_LENGTH);
}

/** As they are, and as JSON and URLs write them; the longest first, since one may be a part of another. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return secrets;
  const spellings = new Set<string>();
  for (const secret of secrets) {
    spellings.add(secret);
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(encodeURIComponent(secret.toWellFormed()));
  }
  return [...spellings].sort((a, b) => b.length - a.length);
}

/** NUL and lone surrogates are refused by databases: recording a failure must never fail because of its text. */
function safeText(read: () => unknown, spellings: readonly string[], maxLength: number): string {
  try {
    let text = String(read());
    // Before it is cut: a part of a secret at the end would not be found any more.
    for (const spelling of spellings) text = text.replaceAll(spelling, REDACTED);
    return text.slice(0, maxLength).replaceAll('\0', '\\0').toWellFormed();
  } catch {
    return '(unreadable)';
  }
}

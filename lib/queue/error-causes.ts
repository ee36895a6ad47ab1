/** How far a chain of causes, or into a bundle of errors, a report goes. */
const DEEPEST = 5;
const MOST_ERRORS = 5;

/**
 * The message of an error with those of its causes, and of the errors that it bundles: "fetch failed" alone says nothing
 * of the connection that was refused. May throw where a getter of the error does.
 */
export function messageWithCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes: string[] = [];
  collect(error, causes, new Set<unknown>([error]), 0);
  return [error.message, ...causes.map((cause) => `cause: ${cause}`)].join('; ');
}

function collect(error: Error, causes: string[], seen: Set<unknown>, depth: number): void {
  if (depth === DEEPEST) return;
  const bundled: unknown = error instanceof AggregateError ? error.errors : [];
  const within: unknown[] = Array.isArray(bundled) ? bundled.slice(0, MOST_ERRORS) : [];
  for (const cause of [error.cause, ...within]) {
    if (cause === undefined || cause === null || seen.has(cause)) continue;
    seen.add(cause);
    if (!(cause instanceof Error)) {
      causes.push(typeof cause === 'string' ? cause : `no error but of type ${typeof cause}`);
      continue;
    }
    causes.push(`${cause.name}: ${cause.message}`);
    collect(cause, causes, seen, depth + 1);
  }
}

import type { Failure, WireValue } from '../contract/index.js';
import { type JobDefinition, secretsOf } from '../jobs/index.js';
import { failureOf } from '../queue/index.js';

/**
 * A failure without the texts of sensitive arguments. The worker took them out of what it stored, by the class as it was
 * then: an argument may have become sensitive since. Of a class that is not known here each argument may be secret.
 */
export function toldFailure(
  failure: Failure,
  definition: JobDefinition | null,
  args: { readonly [name: string]: WireValue },
): Failure {
  const secrets = secretsOf(definition, args);
  if (secrets.length === 0) return failure;
  const error = new Error(failure.message);
  error.name = failure.error;
  error.stack = failure.stack ?? '';
  const told = failureOf(error, failure.cause, secrets);
  return failure.stack === null ? { ...told, stack: null } : told;
}

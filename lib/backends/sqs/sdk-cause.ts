import { serviceErrorOf } from './service-codes.js';

/**
 * An error of the SDK, as a cause. On its own there hangs the whole exchange: headers with a session's token, bodies of
 * jobs; and what could not be read is quoted in its message.
 */
export function sdkCause(failure: unknown): unknown {
  if (!(failure instanceof Error) || !('$response' in failure || '$responseBodyText' in failure))
    return failure;
  const { name, $metadata } = failure as Error & { readonly $metadata?: unknown };
  const message = serviceErrorOf(failure)?.message ?? 'The answer of the service could not be read.';
  return Object.assign(new Error(message), { name, $metadata });
}

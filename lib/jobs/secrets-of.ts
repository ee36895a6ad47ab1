import type { WireValue } from '../contract/index.js';
import type { JobDefinition } from './job-definition.js';

/** Shorter ones would take ordinary words out of every message. */
const SHORTEST_SECRET = 4;

/**
 * The texts in a job's sensitive arguments, however deep, that must not appear in what is kept of its error. Where they
 * cannot be told, those in all arguments. Never throws.
 */
export function secretsOf(
  definition: JobDefinition | null,
  args: { readonly [name: string]: WireValue },
): readonly string[] {
  try {
    const sensitive = definition?.args.filter((plan) => plan.sensitive) ?? [];
    return textsIn(
      sensitive.flatMap(({ parameter }) => (Object.hasOwn(args, parameter) ? [args[parameter]] : [])),
    );
  } catch {
    return textsIn([args]);
  }
}

function textsIn(values: readonly unknown[]): readonly string[] {
  const pending = [...values];
  const texts = new Set<string>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.length >= SHORTEST_SECRET) texts.add(value);
    else if (typeof value === 'object' && value !== null) {
      for (const nested of Object.values(value)) pending.push(nested);
    }
  }
  return [...texts];
}

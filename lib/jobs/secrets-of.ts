import type { WireValue } from '../contract/index.js';
import type { ArgumentPlan, JobDefinition } from './job-definition.js';

/** Shorter ones would take ordinary words out of every message. */
const SHORTEST_SECRET = 4;

/**
 * The texts in a job's sensitive arguments, however deep, that must not appear in what is kept of its error. Where they
 * cannot be told, as of a class that nobody lists, those in all arguments. Never throws.
 */
export function secretsOf(
  definition: JobDefinition | null,
  args: { readonly [name: string]: WireValue },
): readonly string[] {
  try {
    return textsIn(definition === null ? [args] : sensitiveValues(definition.args, args));
  } catch {
    return textsIn([args]);
  }
}

function sensitiveValues(plans: readonly ArgumentPlan[], args: object): readonly unknown[] {
  return plans.flatMap(({ parameter, sensitive, parts }) => {
    if (!Object.hasOwn(args, parameter)) return [];
    const value: unknown = Reflect.get(args, parameter);
    if (sensitive) return [value];
    return parts !== undefined && typeof value === 'object' && value !== null
      ? sensitiveValues(parts, value)
      : [];
  });
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

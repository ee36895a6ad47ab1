import type { WireValue } from '../contract/index.js';
import type { ArgumentPlan, JobDefinition } from './job-definition.js';
import { copyWireValue, putOwn } from './wire/copy-wire-value.js';

export const REDACTED = '[redacted]';

/**
 * Stored arguments for logs and events: `[redacted]` in place of sensitive ones, of those that the class does not
 * (any longer) have, and of all when the class is unknown or redacting fails. Never throws.
 */
export function redactArguments(
  definition: JobDefinition | null,
  args: { readonly [name: string]: WireValue },
): Record<string, unknown> {
  try {
    return redactBy(definition?.args ?? [], args);
  } catch {
    return redactAll(args);
  }
}

function redactBy(
  plans: readonly ArgumentPlan[],
  args: { readonly [name: string]: WireValue },
): Record<string, unknown> {
  const open = new Map(plans.filter((plan) => !plan.sensitive).map((plan) => [plan.parameter, plan]));
  return mapArguments(args, (name) => {
    const plan = open.get(name);
    if (plan === undefined) return REDACTED;
    const value = args[name];
    if (plan.parts === undefined || value === null) return shown(value);
    return isObject(value) ? redactBy(plan.parts, value) : REDACTED;
  });
}

function isObject(value: WireValue | undefined): value is { readonly [key: string]: WireValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function redactAll(args: object): Record<string, unknown> {
  try {
    return mapArguments(args, () => REDACTED);
  } catch {
    return {};
  }
}

function mapArguments(args: object, show: (name: string) => unknown): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const name of Object.keys(args)) putOwn(redacted, name, show(name));
  return redacted;
}

function shown(value: unknown): WireValue {
  const copy = copyWireValue(value);
  if (copy === undefined) throw new TypeError('not a wire value');
  return copy;
}

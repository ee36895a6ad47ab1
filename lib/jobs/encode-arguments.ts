import { UnserializableJobException, type WireValue } from '../contract/index.js';
import type { ArgumentPlan, JobDefinition } from './job-definition.js';

/**
 * A job's constructor arguments, read from its properties, by wire name. Arrays and objects in the result are the
 * job's own: make text of it before anything else runs.
 *
 * @throws UnserializableJobException where an argument has no wire form
 */
export function encodeArguments(
  definition: Pick<JobDefinition, 'name' | 'args'>,
  job: object,
): { [name: string]: WireValue } {
  const encoded: { [name: string]: WireValue } = {};
  for (const plan of definition.args) {
    const value = readProperty(definition, plan, job);
    if (value !== undefined) encoded[plan.parameter] = plan.encode(value);
    else if (!plan.optional) refuseUndefined(definition, plan, job);
  }
  return encoded;
}

type NameOnly = Pick<JobDefinition, 'name'>;

function readProperty({ name }: NameOnly, plan: ArgumentPlan, job: object): unknown {
  try {
    return (job as { readonly [property: string]: unknown })[plan.property];
  } catch {
    throw new UnserializableJobException(
      `Job ${name}: argument "${plan.parameter}" cannot be read, its getter threw. Mend the getter, or ` +
        'name another property in @Job({ args }).',
    );
  }
}

function refuseUndefined({ name }: NameOnly, plan: ArgumentPlan, job: object): never {
  const problem =
    plan.property in job
      ? 'is undefined. Pass null, give the parameter a default, or mark it with @Optional() of @nestjs/common'
      : `has no property "${plan.property}" on the instance to be read from. Name the right one with @Job({ args })`;
  throw new UnserializableJobException(
    `Job ${name}: argument "${plan.parameter}" has no wire form: it ${problem}.`,
  );
}

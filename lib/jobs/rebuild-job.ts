import { JobReconstructionException, type WireValue } from '../contract/index.js';
import { errorName } from './codecs/custom.codec.js';
import type { JobInstance } from './job-class.js';
import type { ArgumentPlan, JobDefinition } from './job-definition.js';

/**
 * A job made anew from its stored arguments, through its constructor. Shares nothing with `args`.
 *
 * @throws JobReconstructionException where the arguments do not fit today's constructor, or it throws
 */
export function rebuildJob(
  definition: JobDefinition,
  args: { readonly [name: string]: WireValue },
): JobInstance {
  return rebuildInstance(definition, args) as JobInstance;
}

/** What is known of a class whose instances travel by their constructor's arguments. */
export interface Rebuildable {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- its arguments are checked by their plans
  readonly target: new (...args: any[]) => object;
  readonly args: readonly ArgumentPlan[];
}

/** The same for a class that is no job's. */
export function rebuildInstance(
  definition: Rebuildable,
  args: { readonly [name: string]: WireValue },
): object {
  const values = argumentValues(definition, args);
  try {
    return new definition.target(...values);
  } catch (error) {
    throw new JobReconstructionException(
      'constructor-threw',
      `Job ${definition.name}: the constructor threw (${errorName(error)}) when the job was rebuilt. Let it only assign its ` +
        'arguments, and check them in handle().',
      { cause: error },
    );
  }
}

function argumentValues(definition: Rebuildable, args: { readonly [name: string]: WireValue }): unknown[] {
  const values: unknown[] = [];
  let known = 0;
  for (const plan of definition.args) {
    // Own keys only: `constructor` is a name that every object answers to.
    const value = Object.hasOwn(args, plan.parameter) ? args[plan.parameter] : undefined;
    if (value !== undefined) {
      known += 1;
      values.push(plan.decode(value));
    } else if (plan.optional) {
      values.push(undefined);
    } else {
      throw new JobReconstructionException(
        'missing-argument',
        `Job ${definition.name}: no argument "${plan.parameter}" is stored, but today's constructor requires it. Give ` +
          'it a default or @Optional() for jobs that older code pushed.',
      );
    }
  }
  if (Object.keys(args).length !== known) refuseExtra(definition, args);
  return values;
}

function refuseExtra(definition: Rebuildable, args: object): never {
  const names = new Set(definition.args.map((plan) => plan.parameter));
  const extra = Object.keys(args).filter((name) => !names.has(name));
  const told = extra
    .map((name) => (/^[\w$]{1,80}$/.test(name) ? `"${name}"` : 'one that is no name'))
    .slice(0, 3);
  throw new JobReconstructionException(
    'extra-argument',
    `Job ${definition.name}: ${extra.length === 1 ? 'an argument is' : `${extra.length} arguments are`} stored that ` +
      `today's constructor does not have: ${told.join(', ')}. Keep the parameter until the jobs of older code have run.`,
  );
}

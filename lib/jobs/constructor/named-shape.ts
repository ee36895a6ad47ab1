import { JobDeclarationException } from '../../contract/index.js';
import type { PlanSubject } from '../plan-value.js';
import { constructorShape } from './constructor-shape.js';
import { mayBeProperty } from './may-be-property.js';
import type { ConstructorShape, ParameterShape } from './parameter-shape.js';

/** A parameter whose property is known. */
export interface NamedParameter extends ParameterShape {
  readonly property: string;
}

/**
 * The constructor's parameters with their properties, read from the class's text, or as `@Job({ args })` names them.
 *
 * @throws JobDeclarationException naming the class, the parameters and the mend
 */
export function namedParameters(
  target: Function,
  args: readonly string[] | null,
  subject: PlanSubject,
): readonly NamedParameter[] {
  const shape = constructorShape(target);
  if (args !== null) return nameByHand(target, args, shape);
  if (shape === null) {
    throw new JobDeclarationException(
      `${subject.declared}: the constructor cannot be read, because the class or a superclass is not written as a class ` +
        `where it runs (ES5 output, native code). ${mend([], subject)}`,
    );
  }
  const problems = shape.filter((parameter) => parameter.property === null);
  if (problems.length === 0) return shape.filter(isNamed);
  const told = problems.map(
    (parameter) =>
      `parameter ${shape.indexOf(parameter) + 1} (${parameter.name}) ${parameter.problem ?? 'has no property'}`,
  );
  throw new JobDeclarationException(
    `${subject.declared}: a constructor argument is read back from the one property that it is assigned to, but ` +
      `${told.join('; ')}. ${mend(shape, subject)}`,
  );
}

function isNamed(parameter: ParameterShape): parameter is NamedParameter {
  return parameter.property !== null;
}

function mend(shape: readonly ParameterShape[], { argsOption }: PlanSubject): string {
  if (argsOption === null) return 'Assign each parameter as it is to one property ("readonly x: string").';
  const names = shape.map(
    (parameter) => `'${parameter.property ?? parameter.name.replace(/^#/, 'property')}'`,
  );
  return (
    'Assign each parameter as it is to one property ("readonly x: string"), or name the properties that hold them in ' +
    `order with @Job({ args: [${names.length > 0 ? names.join(', ') : "'first', …"}] }).`
  );
}

function nameByHand(
  target: Function,
  args: readonly string[],
  shape: ConstructorShape,
): readonly NamedParameter[] {
  const named = `Job class ${target.name}: @Job({ args })`;
  checkNames(named, args);
  const missing = args.find((name) => !mayBeProperty(target, name));
  if (missing !== undefined) {
    throw new JobDeclarationException(
      `${named}: class ${target.name} has no property "${missing}" to read the argument from. Correct the name, or add ` +
        'a property or a getter with it.',
    );
  }
  const rest = shape !== null && shape.at(-1)?.problem === 'is a rest parameter';
  if (shape !== null && !rest && shape.length !== args.length) {
    throw new JobDeclarationException(
      `${named} expects ${shape.length} names, one for each constructor parameter in order, came ${args.length}.`,
    );
  }
  return args.map((property, index) => {
    const parameter = shape?.[index];
    return {
      name: parameter?.name ?? property,
      property,
      problem: null,
      hasDefault: parameter?.hasDefault ?? (shape === null && index >= target.length),
      sources: parameter?.sources ?? [{ owner: target, index }],
    };
  });
}

function checkNames(named: string, args: readonly unknown[]): void {
  for (const [index, name] of args.entries()) {
    if (typeof name !== 'string' || name === '' || !name.isWellFormed()) {
      throw new JobDeclarationException(`${named} expects names of properties, entry ${index + 1} is none.`);
    }
    if (name === '__proto__' || name.startsWith('#')) {
      throw new JobDeclarationException(
        `${named}: "${name}" cannot be read from outside. Name a property, such as a getter that returns it.`,
      );
    }
    if (args.indexOf(name) !== index) {
      throw new JobDeclarationException(`${named} expects each name once, "${name}" came twice.`);
    }
  }
}

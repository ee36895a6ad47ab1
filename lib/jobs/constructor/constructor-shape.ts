import type { AnyNode, Class, MethodDefinition, Pattern } from 'acorn';
import { readConstructor, type ConstructorWrites } from './constructor-writes.js';
import type { ConstructorShape, ParameterShape } from './parameter-shape.js';
import { parseClass } from './parse-class.js';
import { passedParameter } from './nullish-default.js';
import { resolveProperty } from './resolve-property.js';

/** What a class and its own superclasses do with their constructor's parameters. Reads text, runs nothing. */
export function constructorShape(target: object): ConstructorShape {
  const parsed = parseClass(target);
  if (parsed === null) return isRootOfAllClasses(target) ? [] : null;
  const inherited = (): ConstructorShape => superShape(target, parsed.node);
  if (parsed.constructorMethod === null) return hideRedeclared(inherited(), parsed.node);
  const { value } = parsed.constructorMethod;
  const body = readConstructor(value);
  if (passesEverythingOn(parsed.constructorMethod, body)) {
    return hideRedeclared(hideRewritten(inherited(), body), parsed.node);
  }
  const passed = passedToSuper(body, inherited);
  const context = { body, fields: fieldNames(parsed.node) };
  return value.params.map((parameter, index) => {
    const read = readParameter(parameter, index);
    const superParameter = read.problem === null ? (passed.get(read.name) ?? null) : null;
    const resolved =
      read.problem === null
        ? resolveProperty(read.name, context, superParameter)
        : { property: null, problem: read.problem };
    return {
      name: read.name,
      property: resolved.property,
      problem: resolved.problem,
      hasDefault: read.hasDefault || resolved.defaulted === true,
      sources: [{ owner: target, index }, ...(superParameter?.sources ?? [])],
    };
  });
}

function superShape(target: object, node: Class): ConstructorShape {
  if (node.superClass == null) return [];
  const superclass: unknown = Object.getPrototypeOf(target);
  return typeof superclass === 'function' ? constructorShape(superclass) : null;
}

function isRootOfAllClasses(target: object): boolean {
  return target === Function.prototype || target === Object;
}

interface ReadParameter {
  readonly name: string;
  readonly hasDefault: boolean;
  readonly problem: string | null;
}

function readParameter(parameter: Pattern, index: number): ReadParameter {
  const hasDefault = parameter.type === 'AssignmentPattern';
  const pattern = hasDefault ? parameter.left : parameter;
  if (pattern.type === 'Identifier') return { name: pattern.name, hasDefault, problem: null };
  const problem = pattern.type === 'RestElement' ? 'is a rest parameter' : 'is destructured';
  return { name: `#${index + 1}`, hasDefault, problem };
}

/** `constructor(...args) { super(...args); … }` and `super(...arguments)`, as compilers write for class fields. */
function passesEverythingOn(method: MethodDefinition, body: ConstructorWrites): boolean {
  const [spread, ...others] = body.superArguments ?? [];
  if (spread?.type !== 'SpreadElement' || others.length > 0 || spread.argument.type !== 'Identifier')
    return false;
  const [rest, ...more] = method.value.params;
  if (rest === undefined) return spread.argument.name === 'arguments';
  return (
    more.length === 0 &&
    rest.type === 'RestElement' &&
    rest.argument.type === 'Identifier' &&
    rest.argument.name === spread.argument.name
  );
}

const TWICE = 'arrives more than once';

/** Which of the superclass's parameters each name is handed to as it is, or with a `??` default. */
function passedToSuper(
  body: ConstructorWrites,
  inherited: () => ConstructorShape,
): Map<string, ParameterShape> {
  const passed = new Map<string, ParameterShape>();
  const given = body.superArguments ?? [];
  const shape = given.length === 0 ? null : inherited();
  for (const [index, argument] of given.entries()) {
    // Behind a spread the places are unknown.
    if (argument.type === 'SpreadElement') break;
    const superParameter = shape?.[index];
    const name = passedName(argument);
    if (superParameter === undefined || name === null) continue;
    passed.set(
      name,
      passed.has(name) ? { ...superParameter, property: null, problem: TWICE } : superParameter,
    );
  }
  return passed;
}

function passedName(argument: AnyNode): string | null {
  return argument.type === 'Identifier' ? (passedParameter(argument)?.name ?? null) : null;
}

function fieldNames(node: Class): ReadonlySet<string> {
  const names = node.body.body.flatMap((member) => {
    if (member.type !== 'PropertyDefinition' || member.static || member.computed) return [];
    return member.key.type === 'Identifier' ? [member.key.name] : [];
  });
  return new Set(names);
}

/** A field of a subclass is initialized after the superclass's constructor assigned its own. */
function hideRedeclared(shape: ConstructorShape, node: Class): ConstructorShape {
  return hide(shape, fieldNames(node), 'is held by a field that a subclass declares again');
}

function hideRewritten(shape: ConstructorShape, body: ConstructorWrites): ConstructorShape {
  const rewritten = new Set(body.writes.map((write) => write.property));
  return hide(shape, rewritten, 'is held by a property that a subclass assigns again');
}

function hide(shape: ConstructorShape, names: ReadonlySet<string>, problem: string): ConstructorShape {
  if (shape === null || names.size === 0) return shape;
  return shape.map((parameter) =>
    parameter.property !== null && names.has(parameter.property)
      ? { ...parameter, property: null, problem }
      : parameter,
  );
}

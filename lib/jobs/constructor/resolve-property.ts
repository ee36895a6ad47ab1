import type { ConstructorWrites, PropertyWrite } from './constructor-writes.js';
import type { ParameterShape } from './parameter-shape.js';
import { passedParameter } from './nullish-default.js';

/** The class around a parameter. */
export interface ParameterContext {
  readonly body: ConstructorWrites;
  /** Names of the class's own fields. */
  readonly fields: ReadonlySet<string>;
}

export interface ResolvedProperty {
  readonly property: string | null;
  readonly problem: string | null;
  /** It is assigned as `p ?? …`. */
  readonly defaulted?: boolean;
}

/** The one property that holds a parameter's value unchanged, of its own class or through `super(…)`. */
export function resolveProperty(
  name: string,
  context: ParameterContext,
  superParameter: ParameterShape | null,
): ResolvedProperty {
  const { body } = context;
  if (body.changed.has(name)) return problem('gets another value in the constructor');
  const own = body.writes.filter((write) => valueName(write) === name);
  const properties = new Set(own.map((write) => write.property));
  const inherited = superParameter?.property ?? null;
  if (properties.size > 1 || (properties.size === 1 && inherited !== null && !properties.has(inherited))) {
    return problem('is assigned to more than one property');
  }
  const [property] = properties;
  if (property === undefined) return fromSuper(context, superParameter);
  if (property.startsWith('#')) {
    return problem(`is assigned to the private ${property}, which cannot be read`);
  }
  if (property === '__proto__') return problem('is assigned to __proto__, which is no property');
  if (!own.some((write) => write.always)) return problem('is assigned only under a condition');
  if (!keeps(property, name, body))
    return problem(`is held by "${property}", which gets other values as well`);
  return { property, problem: null, defaulted: own.some(isDefaulted) };
}

function fromSuper(context: ParameterContext, superParameter: ParameterShape | null): ResolvedProperty {
  if (superParameter === null) return problem('is not assigned to a property as it is');
  const { property } = superParameter;
  if (property === null) {
    return problem(`is passed to a superclass, where it ${superParameter.problem ?? ''}`);
  }
  if (context.fields.has(property)) return problem('is held by a field that a subclass declares again');
  if (context.body.writes.some((write) => write.property === property)) {
    return problem('is held by a property that a subclass assigns again');
  }
  return { property, problem: null, defaulted: superParameter.hasDefault };
}

/** Before it a field's initializer may stand, which older targets make an assignment; after it nothing may. */
function keeps(property: string, name: string, body: ConstructorWrites): boolean {
  const writes = body.writes.filter((write) => write.property === property);
  return writes.every((write) => write.always) && valueName(writes.at(-1)) === name;
}

function valueName(write: PropertyWrite | undefined): string | null {
  return write?.value == null ? null : (passedParameter(write.value)?.name ?? null);
}

function isDefaulted(write: PropertyWrite): boolean {
  return write.value !== null && passedParameter(write.value)?.defaulted === true;
}

function problem(text: string): ResolvedProperty {
  return { property: null, problem: text };
}

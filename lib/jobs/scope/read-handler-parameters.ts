import type { ForwardReference, InjectionToken } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { JobDefinition } from '../job-definition.js';
import { JobDelivery } from '../job-delivery.js';
import { refuseEmittedType } from './emitted-type.js';
import type { HandlerParameter, HandlerParameters, ParameterProblem } from './handler-parameter.js';
import { parameterNames } from './parameter-names.js';

/** Keys under which TypeScript and Nest keep what decorators said; their constants are not exported by Nest. */
const EMITTED = 'design:paramtypes';
const INJECTED = 'self:paramtypes';
const OPTIONAL = 'optional:paramtypes';

/** A parameter, or the reason why it is none. */
type Reading = HandlerParameter | string;

const AMBIGUOUS =
  '@Inject names another token for a parameter of the same position in another method of the class, and Nest keeps ' +
  'both alike. Use @Job({ inject: [...] }) for handle().';

/** Reads the parameters of `handle()` from `@Job({ inject })`, `@Inject`, `@Optional` or emitted types. */
export function readHandlerParameters(definition: JobDefinition): HandlerParameters {
  const { target } = definition;
  const owner = ownerOfHandle(target.prototype);
  if (owner === null) {
    const reason = 'the class has no method of that name. Write handle() as a method, not as a property.';
    return { parameters: [], problems: [{ where: `${target.name}.handle()`, reason }] };
  }
  const readings =
    definition.inject === null
      ? fromMetadata(definition, owner)
      : fromInject(definition.inject, owner.handle.length);
  const names = parameterNames(owner.handle);
  const parameters: HandlerParameter[] = [];
  const problems: ParameterProblem[] = [];
  for (const [index, reading] of readings.entries()) {
    if (typeof reading !== 'string') {
      parameters.push(reading);
      continue;
    }
    const name = names[index];
    const which = typeof name === 'string' ? `parameter ${index + 1} "${name}"` : `parameter ${index + 1}`;
    problems.push({ where: `${target.name}.handle(), ${which}`, reason: reading });
  }
  return { parameters, problems };
}

interface HandleOwner {
  readonly handle: (...dependencies: never[]) => unknown;
}

/** The prototype that defines `handle()`: what was said about an overridden one does not hold for its override. */
function ownerOfHandle(prototype: object): HandleOwner | null {
  let owner: object | null = prototype;
  while (owner !== null && !Object.hasOwn(owner, 'handle')) owner = Reflect.getPrototypeOf(owner);
  return owner !== null && definesHandle(owner) ? owner : null;
}

function definesHandle(owner: object): owner is HandleOwner {
  return typeof Reflect.get(owner, 'handle') === 'function';
}

function fromInject(inject: readonly unknown[], length: number): readonly Reading[] {
  const readings = inject.map((entry): Reading => {
    if (entry === undefined || entry === null) {
      return 'its entry of @Job({ inject }) is undefined, as in a circular import. Use forwardRef(() => Class).';
    }
    if (isOptionalEntry(entry)) return provider(entry.token, entry.optional === true);
    return provider(entry as InjectionToken | ForwardReference, false);
  });
  for (let index = inject.length; index < length; index++) {
    readings.push(`@Job({ inject }) has ${inject.length} entries for ${length} parameters. Add its token.`);
  }
  return readings;
}

function fromMetadata(definition: JobDefinition, owner: HandleOwner): readonly Reading[] {
  const emitted = Reflect.getOwnMetadata(EMITTED, owner, 'handle') as readonly unknown[] | undefined;
  const injected = injectedTokens(owner);
  const optional = new Set((Reflect.getOwnMetadata(OPTIONAL, owner) as readonly number[] | undefined) ?? []);
  const count = emitted?.length ?? owner.handle.length;
  return Array.from({ length: count }, (_, index): Reading => {
    const token = injected.get(index);
    if (token === null) return AMBIGUOUS;
    if (token !== undefined && token !== Function) return provider(token, optional.has(index));
    if (emitted === undefined) return noMetadata(definition);
    const type = emitted[index];
    return refuseEmittedType(type) ?? provider(type as InjectionToken, optional.has(index));
  });
}

type InjectToken = InjectionToken | ForwardReference;

/**
 * `@Inject` on a parameter of a method, by its index. Nest keeps it without the method's name, so that the same index in
 * another method of the class looks the same: null where that leaves a doubt. Bare, it records the type of the method,
 * which is Function.
 */
function injectedTokens(owner: object): ReadonlyMap<number, InjectToken | null> {
  const entries = (Reflect.getOwnMetadata(INJECTED, owner) ?? []) as readonly {
    readonly index: number;
    readonly param: InjectToken;
  }[];
  const tokens = new Map<number, InjectToken | null>();
  for (const { index, param } of entries) {
    const known = tokens.get(index);
    tokens.set(index, known === undefined || known === param ? param : null);
  }
  return tokens;
}

/** Tells a missing decorator from a toolchain that emits no types, as far as the class itself shows it. */
function noMetadata({ target }: JobDefinition): string {
  const emits = Reflect.hasOwnMetadata(EMITTED, target);
  if (emits)
    return 'TypeScript emitted no type for it, since handle() has no decorator. Add @Handle() to it.';
  return (
    'no type was emitted for it: handle() has no @Handle(), or the toolchain (esbuild, tsx and those over them) ' +
    'emits none. Add @Handle() and compile with tsc or SWC with decorator metadata, or use @Job({ inject: [...] }).'
  );
}

function provider(token: InjectionToken | ForwardReference, optional: boolean): HandlerParameter {
  // REQUEST is the delivery in every context of a delivery, so that neither needs a context of its own.
  return token === JobDelivery || token === REQUEST
    ? { kind: 'delivery' }
    : { kind: 'provider', token, optional };
}

function isOptionalEntry(
  entry: unknown,
): entry is { readonly token: InjectionToken; readonly optional?: boolean } {
  return typeof entry === 'object' && entry !== null && 'token' in entry;
}

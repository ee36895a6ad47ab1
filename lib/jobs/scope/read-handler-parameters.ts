import type { ForwardReference, InjectionToken } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { JobDefinition } from '../job-definition.js';
import { JobDelivery } from '../job-delivery.js';
import { refuseEmittedType } from './emitted-type.js';
import type { HandlerParameter, HandlerParameters, ParameterProblem } from './handler-parameter.js';
import { FAILED, HANDLE, type JobMethod } from './job-method.js';
import { parameterNames } from './parameter-names.js';

/** Keys under which TypeScript and Nest keep what decorators said; their constants are not exported by Nest. */
const EMITTED = 'design:paramtypes';
const INJECTED = 'self:paramtypes';
const OPTIONAL = 'optional:paramtypes';

/** A parameter, or the reason why it is none. */
type Reading = HandlerParameter | string;

/** Reads the parameters of a job's method from the tokens it is given, `@Inject`, `@Optional` or emitted types. */
export function readHandlerParameters(
  definition: JobDefinition,
  method: JobMethod = HANDLE,
): HandlerParameters {
  const { target } = definition;
  const called = `${target.name}.${method.name}()`;
  const owner = ownerOf(target.prototype, method);
  if (owner === null) {
    const reason = `the class has no method of that name. Write ${method.name}() as a method, not as a property.`;
    return { parameters: [], problems: [{ where: called, reason }] };
  }
  const inject = method.inject(definition);
  const readings =
    inject === null ? fromMetadata(definition, owner, method) : fromInject(inject, owner, method);
  const names = parameterNames(owner.method);
  const parameters: HandlerParameter[] = [];
  const problems: ParameterProblem[] = [];
  for (const [index, reading] of readings.entries()) {
    if (typeof reading !== 'string') {
      parameters.push(reading);
      continue;
    }
    const position = index + method.given;
    const name = names[position];
    const which =
      typeof name === 'string' ? `parameter ${position + 1} "${name}"` : `parameter ${position + 1}`;
    problems.push({ where: `${called}, ${which}`, reason: reading });
  }
  return { parameters, problems };
}

interface MethodOwner {
  readonly prototype: object;
  readonly method: (...dependencies: never[]) => unknown;
}

/** The prototype that defines the method: what was said about an overridden one does not hold for its override. */
function ownerOf(prototype: object, { name }: JobMethod): MethodOwner | null {
  let owner: object | null = prototype;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Reflect.getPrototypeOf(owner);
  const method: unknown = owner === null ? undefined : Reflect.get(owner, name);
  return owner !== null && isMethod(method) ? { prototype: owner, method } : null;
}

function isMethod(value: unknown): value is MethodOwner['method'] {
  return typeof value === 'function';
}

function fromInject(
  inject: readonly unknown[],
  owner: MethodOwner,
  { given, injectOption }: JobMethod,
): readonly Reading[] {
  const option = injectOption.replace(': [...]', '');
  const readings = inject.map((entry): Reading => {
    if (entry === undefined || entry === null) {
      return `its entry of ${option} is undefined, as in a circular import. Use forwardRef(() => Class).`;
    }
    if (isOptionalEntry(entry)) return provider(entry.token, entry.optional === true);
    return provider(entry as InjectionToken | ForwardReference, false);
  });
  const length = owner.method.length - given;
  for (let index = inject.length; index < length; index++) {
    readings.push(`${option} has ${inject.length} entries for ${length} parameters. Add its token.`);
  }
  return readings;
}

function fromMetadata(definition: JobDefinition, owner: MethodOwner, method: JobMethod): readonly Reading[] {
  const { prototype } = owner;
  const rival = rivalOf(definition, prototype, method);
  const emitted = Reflect.getOwnMetadata(EMITTED, prototype, method.name) as readonly unknown[] | undefined;
  const injected = injectedTokens(prototype);
  const optional = new Set(
    (Reflect.getOwnMetadata(OPTIONAL, prototype) as readonly number[] | undefined) ?? [],
  );
  const count = emitted?.length ?? owner.method.length;
  return Array.from({ length: Math.max(count - method.given, 0) }, (_, position): Reading => {
    const index = position + method.given;
    const found = injected.get(index);
    const token = found === undefined ? undefined : tokenFor(found, index, emitted, rival);
    if (token === null) return ambiguous(method);
    if (token !== undefined && token !== Function) return provider(token, optional.has(index));
    if (emitted === undefined) return noMetadata(definition, method);
    const type = emitted[index];
    const refusal = refuseEmittedType(type, method.injectOption);
    return refusal ?? provider(type as InjectionToken, optional.has(index));
  });
}

type InjectToken = InjectionToken | ForwardReference;

/** What `@Inject` says of one position: the token, null where methods contradict each other, and how often it was said. */
interface Injected {
  readonly token: InjectToken | null;
  readonly times: number;
}

/**
 * `@Inject` on a parameter of a method, by its index. Nest keeps it without the method's name, so that the same index in
 * another method of the class looks the same. Bare, it records the type of the method, which is Function.
 */
function injectedTokens(owner: object): ReadonlyMap<number, Injected> {
  const entries = (Reflect.getOwnMetadata(INJECTED, owner) ?? []) as readonly {
    readonly index: number;
    readonly param: InjectToken;
  }[];
  const tokens = new Map<number, Injected>();
  for (const { index, param } of entries) {
    const known = tokens.get(index);
    const same = known === undefined || known.token === param;
    tokens.set(index, { token: same ? param : null, times: (known?.times ?? 0) + 1 });
  }
  return tokens;
}

/** The other method that is called with providers: where each of its parameters stands, and of which type. */
interface Rival {
  readonly given: number;
  readonly emitted: readonly unknown[];
}

function rivalOf(definition: JobDefinition, prototype: object, method: JobMethod): Rival | null {
  const other = method === HANDLE ? FAILED : HANDLE;
  const isCalled = other === HANDLE || definition.onFailed != null;
  if (!isCalled || other.inject(definition) !== null) return null;
  const emitted: unknown = Reflect.getOwnMetadata(EMITTED, prototype, other.name);
  return Array.isArray(emitted) ? { given: other.given, emitted } : null;
}

/**
 * Whose a token is that was given once for a position of two methods: it belongs to the parameter whose type names no
 * provider by itself. undefined: the other's; null: nobody can tell.
 */
function tokenFor(
  { token, times }: Injected,
  index: number,
  emitted: readonly unknown[] | undefined,
  rival: Rival | null,
): InjectToken | null | undefined {
  if (token === null || times > 1 || rival === null) return token;
  if (index < rival.given || index >= rival.emitted.length) return token;
  const needsIt = refuseEmittedType(emitted?.[index], '') !== null;
  const rivalNeedsIt = refuseEmittedType(rival.emitted[index], '') !== null;
  if (needsIt === rivalNeedsIt) return null;
  return needsIt ? token : undefined;
}

function ambiguous({ name, injectOption }: JobMethod): string {
  return (
    '@Inject names another token for a parameter of the same position in another method of the class, and Nest keeps ' +
    `both alike. Use ${injectOption} for ${name}().`
  );
}

/** Tells a missing decorator from a toolchain that emits no types, as far as the class itself shows it. */
function noMetadata({ target }: JobDefinition, { name, decorator, injectOption }: JobMethod): string {
  const emits = Reflect.hasOwnMetadata(EMITTED, target);
  if (emits) {
    return `TypeScript emitted no type for it, since ${name}() has no decorator. Add ${decorator} to it.`;
  }
  return (
    `no type was emitted for it: ${name}() has no ${decorator}, or the toolchain (esbuild, tsx and those over them) ` +
    `emits none. Add ${decorator} and compile with tsc or SWC with decorator metadata, or use ${injectOption}.`
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

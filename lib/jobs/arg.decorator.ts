import type { ArgCodec } from './arg-codec.js';
import type { ArgCheck } from './arg-check.js';
import { codecForDeclaration } from './codecs/choose-codec.js';
import type { EnumObject } from './codecs/enum.codec.js';
import { assertConstructorParameter, type AnyClass } from './constructor-parameter.js';
import { markParameter } from './job-metadata.js';
import type { StandardSchema } from './standard-schema.js';

/** What `@Arg()` can be given: a built-in type, an enum, a codec, a schema. */
export type ArgDeclaration =
  | DateConstructor
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  // oxlint-disable-next-line typescript/no-explicit-any -- unknown would refuse every codec of something
  | ArgCodec<any>
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  | StandardSchema<any, any>
  | EnumObject;

/**
 * Says how a constructor argument travels where its type does not: `@Arg(Date)` for `Date | null`, `@Arg(Status)` for
 * an enum, `@Arg(codec)` for a class of one's own, `@Arg(schema)` for a check by any Standard Schema. Checked against
 * the parameter's type. With a type or an enum null passes; a codec or a schema decides about null itself.
 *
 * @throws JobDeclarationException where the declaration can carry nothing, or on anything but a constructor's parameter
 * @publicApi
 */
export function Arg<const A extends ArgDeclaration>(declaration: A) {
  return <C extends AnyClass, I extends number>(
    target: C,
    method: undefined,
    index: I & ArgCheck<A, ConstructorParameters<C>[I]>,
  ): void => {
    assertConstructorParameter('@Arg()', target, method, index);
    codecForDeclaration(declaration, `Class ${target.name}, constructor parameter ${index + 1}`);
    markParameter(target, index, { declaration: { of: declaration } });
  };
}

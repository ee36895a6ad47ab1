import type { ArgCodec } from './arg-codec.js';
import type { DeclarationMismatch } from './job-check.js';
import type { StandardSchema } from './standard-schema.js';

/** `unknown` when `@Arg(declaration)` fits a parameter of type P, else a type that no parameter's index has. */
export type ArgCheck<A, P> =
  A extends StandardSchema<infer Input, infer Output>
    ? Fits<Output, P, Exclude<P, undefined>, Input>
    : A extends ArgCodec<infer T>
      ? Fits<T, P, Exclude<P, undefined>, T>
      : Fits<BuiltIn<A>, P, NonNullable<P>, BuiltIn<A>>;

/** What is rebuilt must suit the parameter, and what the parameter accepts must be taken at the push. */
type Fits<Rebuilt, P, Pushed, Taken> = [Rebuilt] extends [P]
  ? [Pushed] extends [Taken]
    ? unknown
    : DeclarationMismatch<'the parameter accepts values that @Arg() does not carry'>
  : DeclarationMismatch<'@Arg() makes values that the parameter does not accept'>;

type BuiltIn<A> = A extends DateConstructor
  ? Date
  : A extends StringConstructor
    ? string
    : A extends NumberConstructor
      ? number
      : A extends BooleanConstructor
        ? boolean
        : A[keyof A];

import type { ArgCheck } from '../jobs/arg-check.js';
import type { DeclarationMismatch } from '../jobs/job-check.js';
import type { QueuedEventOptions } from './queued-event-options.js';

/** `unknown` when the options fit the listener's method, else a type that no class has. */
export type QueuedEventCheck<O, Method> = UnknownOptionCheck<O> & TypesCheck<O, Method>;

type UnknownOptionCheck<O> = [Exclude<keyof O, keyof QueuedEventOptions>] extends [never]
  ? unknown
  : DeclarationMismatch<`@OnQueuedEvent() has no option ${Exclude<keyof O, keyof QueuedEventOptions> & string}`>;

type TypesCheck<O, Method> = O extends { readonly types: infer Types extends readonly unknown[] }
  ? // oxlint-disable-next-line typescript/no-explicit-any -- any parameters at all
    Method extends (...values: infer Values extends any[]) => unknown
    ? TypesFit<Types, Required<Values>>
    : unknown
  : unknown;

type TypesFit<Types extends readonly unknown[], Values extends readonly unknown[]> = {
  [I in keyof Types]: I extends keyof Values ? TypeFit<Types[I], Values[I]> : TooMany;
}[number] extends infer Checks
  ? [Checks] extends [Fine]
    ? unknown
    : Exclude<Checks, Fine>
  : never;

/** Distinct from `unknown`, which would swallow the mismatches of the other types. */
interface Fine {
  readonly fits: true;
}

type TooMany = DeclarationMismatch<'types has more entries than the method has parameters'>;

type TypeFit<Type, Value> = Type extends null
  ? Fine
  : Type extends DateConstructor | StringConstructor | NumberConstructor | BooleanConstructor
    ? ArgFit<Type, Value>
    : // oxlint-disable-next-line typescript/no-explicit-any -- any class
      Type extends abstract new (...args: any[]) => infer Instance
      ? [NonNullable<Value>] extends [Instance]
        ? Fine
        : DeclarationMismatch<'types names a class that its parameter is not of'>
      : ArgFit<Type, Value>;

type ArgFit<Type, Value> = unknown extends ArgCheck<Type, Value> ? Fine : ArgCheck<Type, Value>;

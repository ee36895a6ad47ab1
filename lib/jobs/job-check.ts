import type { JobClass, JobInstance } from './job-class.js';
import type { JobOptions } from './job-options.js';

/** What the compiler shows where `@Job()` or `@Arg()` does not fit what it decorates. */
export interface DeclarationMismatch<Problem extends string> {
  readonly 'does not fit': Problem;
}

/** `unknown` when the options fit the class, else a type that no class has. */
export type JobCheck<C extends JobClass, O> = UnknownOptionCheck<O> & BackoffCheck<C, O> & InjectCheck<C, O>;

type UnknownOptionCheck<O> = [Exclude<keyof O, keyof JobOptions>] extends [never]
  ? unknown
  : DeclarationMismatch<`@Job() has no option ${Exclude<keyof O, keyof JobOptions> & string}`>;

/** The third parameter of a backoff function is the job. */
type BackoffCheck<C extends JobClass, O> = O extends {
  readonly backoff: (attempt: number, error: unknown, job: infer J) => number;
}
  ? InstanceType<C> extends J
    ? unknown
    : DeclarationMismatch<'the job that the backoff expects is another class'>
  : unknown;

type InjectCheck<C extends JobClass, O> = O extends {
  readonly inject: infer Tokens extends readonly unknown[];
}
  ? number extends Tokens['length']
    ? unknown
    : Tokens['length'] extends HandlerParameters<C>['length']
      ? TokensFit<Tokens, HandlerParameters<C>>
      : DeclarationMismatch<'inject needs one token for each parameter of handle()'>
  : unknown;

type HandlerParameters<C extends JobClass> =
  InstanceType<C> extends JobInstance ? Parameters<InstanceType<C>['handle']> : never;

type TokensFit<Tokens extends readonly unknown[], P extends readonly unknown[]> = {
  [I in keyof Tokens]: I extends keyof P ? TokenFits<Tokens[I], P[I]> : true;
}[number] extends true
  ? unknown
  : DeclarationMismatch<'inject names a class that its parameter of handle() does not accept'>;

/** Only a class says what it provides; any other token may provide anything. */
type TokenFits<Token, P> = Token extends abstract new (...args: never[]) => infer Provided
  ? Provided extends P
    ? true
    : false
  : true;

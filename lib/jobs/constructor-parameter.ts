import { JobDeclarationException } from '../contract/index.js';

/** Any class, abstract ones included: a job's superclass may mark parameters for it. */
// oxlint-disable-next-line typescript/no-explicit-any -- unknown[] refuses every class with typed parameters
export type AnyClass = abstract new (...args: any[]) => object;

/** Refuses a parameter decorator in a place that the compiler did not refuse. */
export function assertConstructorParameter(
  decorator: string,
  target: unknown,
  method: unknown,
  index: unknown,
): void {
  if (typeof target === 'function' && method === undefined && typeof index === 'number') return;
  const owner =
    typeof target === 'function'
      ? target.name
      : ((target as object | undefined)?.constructor.name ?? 'unknown');
  throw new JobDeclarationException(
    `Class ${owner}: ${decorator} is on ${method === undefined ? 'no parameter' : `a parameter of ${String(method)}()`}. ` +
      "It belongs on a parameter of the job's constructor.",
  );
}

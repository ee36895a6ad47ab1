import { UnresolvableJobParameterException } from '../../contract/index.js';
import type { ParameterProblem } from './handler-parameter.js';

/** One exception for the problems of all listed jobs. */
export function unresolvableParameters(
  problems: readonly ParameterProblem[],
): UnresolvableJobParameterException {
  const lines = problems.map(({ where, reason }) => `- ${where}: ${reason}`);
  return new UnresolvableJobParameterException(
    `Expected every parameter of handle(), and of failed() after the error, to name a provider; ${problems.length} did not:\n${lines.join('\n')}`,
  );
}

import { nearMiss } from './near-miss.js';
import { isPlatformVariable } from './platform-variables.js';
import { type Environment, knownVariables, wordOf } from './variables.js';

/** What is worth saying about the variables of an environment: names only, never values. */
export interface EnvironmentRemarks {
  /** Variables that are set and have a meaning. */
  readonly used: readonly string[];
  readonly warnings: readonly string[];
  /** Variables that look like ours and are the platform's. */
  readonly ignored: readonly string[];
}

/**
 * Looks at every `QUEUE_*` variable, and at those that `connections` of the environment read. Unknown ones never stop a
 * boot: some platforms add their own.
 */
export function inspectEnvironment(
  environment: Environment,
  connections: readonly string[],
): EnvironmentRemarks {
  const known = knownVariables(connections);
  const used: string[] = [];
  const warnings: string[] = [];
  const ignored: string[] = [];
  for (const [variable, value = ''] of Object.entries(environment).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!known.has(variable) && !variable.startsWith('QUEUE_')) continue;
    if (isPlatformVariable(variable, value)) ignored.push(variable);
    else if (!known.has(variable)) warnings.push(...remarkOn(variable, known));
    else if (value.trim() !== '') used.push(variable);
  }
  return { used, warnings, ignored };
}

function remarkOn(variable: string, known: ReadonlySet<string>): string[] {
  const meant = nearMiss(variable, known);
  if (meant !== null)
    return [`The environment holds ${variable}, which means nothing here: did you mean ${meant}?`];
  const [, word] = /^QUEUE_(\w+)_CONNECTION$/.exec(variable) ?? [];
  if (word === undefined) return [];
  return [
    `The environment holds ${variable}, but QUEUE_CONNECTIONS lists no connection whose variables begin with ` +
      `QUEUE_${wordOf(word)}.`,
  ];
}

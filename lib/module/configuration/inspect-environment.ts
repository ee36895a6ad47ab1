import { CONNECTION_OPTIONS } from './connection-options.js';
import { describesDatabase } from './database.js';
import { nearMiss } from './near-miss.js';
import type { Option } from './option.js';
import { isPlatformVariable } from './platform-variables.js';
import { rowsOf } from './server-options.js';
import { type Environment, knownVariables, textOf, variableOf } from './variables.js';

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
  const unread = unreadVariables(environment, connections);
  const used: string[] = [];
  const warnings: string[] = [];
  const ignored: string[] = [];
  for (const [variable, value = ''] of Object.entries(environment).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!known.has(variable) && !variable.startsWith('QUEUE_')) continue;
    if (isPlatformVariable(variable, value)) ignored.push(variable);
    else if (!known.has(variable)) warnings.push(...remarkOn(variable, known));
    else if (value.trim() !== '' && !unread.has(variable)) used.push(variable);
  }
  return { used, warnings, ignored };
}

/** Variables of servers that are the application's affair, for no connection of the environment reads them. */
function unreadVariables(environment: Environment, connections: readonly string[]): Set<string> {
  return new Set(
    connections.flatMap((name) =>
      unreadOptions(environment, name).flatMap((option) => variableOf(option, name) ?? []),
    ),
  );
}

function unreadOptions(environment: Environment, connection: string): readonly Option<unknown>[] {
  const driver = textOf(environment, variableOf(CONNECTION_OPTIONS.driver, connection) ?? '');
  const isDatabase = (driver === null || driver === 'sql') && describesDatabase(environment, connection);
  return [
    ...(isDatabase ? [] : rowsOf('sql')),
    ...(['redis', 'rabbitmq', 'sqs'] as const).filter((name) => name !== driver).flatMap(rowsOf),
  ];
}

function remarkOn(variable: string, known: ReadonlySet<string>): string[] {
  const meant = nearMiss(variable, known);
  const [, word] = /^QUEUE_(\w+)_CONNECTION$/.exec(variable) ?? [];
  // QUEUE_A_CONNECTION is two letters from QUEUE_CONNECTION, and still says what it means.
  if (word !== undefined && (meant === null || meant === 'QUEUE_CONNECTION')) {
    return [
      `The environment holds ${variable}, but QUEUE_CONNECTIONS lists no connection whose variables begin with ` +
        `QUEUE_${word}.`,
    ];
  }
  if (meant === null) return [];
  return [`The environment holds ${variable}, which means nothing here: did you mean ${meant}?`];
}

/** A variable of the environment that was probably meant to be `variable` and means nothing as it is written. */
export function misspeltVariable(
  environment: Environment,
  variable: string,
  connections: readonly string[],
): string | null {
  const known = knownVariables(connections);
  const names = Object.keys(environment).filter((name) => !known.has(name) && environment[name]?.trim());
  return names.find((name) => nearMiss(name, known) === variable) ?? null;
}

import { DEFAULT_CONNECTION } from '../../queue/index.js';
import { QueueConfigurationException } from '../../contract/index.js';
import { CONNECTION_OPTIONS } from './connection-options.js';
import { isPlatformVariable } from './platform-variables.js';
import type { Option } from './option.js';
import { ALL_SERVER_OPTIONS } from './server-options.js';
import { WORKER_OPTIONS } from './worker-options.js';

/** A process's environment, or what stands for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const ALL: readonly Option<unknown>[] = [
  ...Object.values(CONNECTION_OPTIONS),
  ...ALL_SERVER_OPTIONS,
  ...Object.values(WORKER_OPTIONS),
];

/** Words that begin variables of drivers or of the platform. */
const RESERVED_WORDS = ['RABBITMQ', 'SQS', 'REDIS', 'SQL', 'PORT', 'SERVICE', 'DEFAULT'];

/** The variables that exist whatever the connections are called. */
export const GLOBAL_VARIABLES: readonly string[] = ALL.flatMap(({ variable }) => variable ?? []);

/** The text of a variable; an empty one and one that the platform set count as absent. */
export function textOf(environment: Environment, variable: string): string | null {
  const text = environment[variable]?.trim();
  if (text === undefined || text === '' || isPlatformVariable(variable, text)) return null;
  return text;
}

/** What stands for a connection's name in variables: "big-ledger" is BIG_LEDGER. */
export function wordOf(connection: string): string {
  return connection.toUpperCase().replaceAll('-', '_');
}

/** The variable that holds an option of a connection. */
export function variableOf(option: Option<unknown>, connection: string): string | null {
  if (connection === DEFAULT_CONNECTION) return option.variable;
  return option.variableOfConnection?.replace('<NAME>', wordOf(connection)) ?? null;
}

/** Every variable that has a meaning for these connections. */
export function knownVariables(connections: readonly string[]): Set<string> {
  const own = connections.flatMap((name) => ALL.flatMap((option) => variableOf(option, name) ?? []));
  return new Set([...GLOBAL_VARIABLES, ...own]);
}

/** Refuses names of connections whose variables would be one another's, or somebody else's. */
export function assertDistinctVariables(connections: readonly string[]): void {
  const words = new Map<string, string>();
  for (const name of connections) {
    if (name === DEFAULT_CONNECTION) continue;
    const word = wordOf(name);
    const other = words.get(word);
    if (other !== undefined) {
      throw new QueueConfigurationException(
        `QUEUE_CONNECTIONS: expected names with variables of their own, but "${other}" and "${name}" both read ` +
          `QUEUE_${word}_CONNECTION. Rename one of them.`,
      );
    }
    words.set(word, name);
    const taken = ALL.flatMap((option) => variableOf(option, name) ?? []).find(
      (variable) => GLOBAL_VARIABLES.includes(variable) || isPlatformVariable(variable, ''),
    );
    if (taken !== undefined || RESERVED_WORDS.includes(word)) {
      throw new QueueConfigurationException(
        `QUEUE_CONNECTIONS: "${name}" is a reserved word: QUEUE_${word}_… has a meaning of its own. ` +
          'Choose another name for the connection.',
      );
    }
  }
}

import { QueueConfigurationException } from '../../contract/index.js';
import { readOption } from './check-option.js';
import type { Option } from './option.js';
import { type Environment, textOf, variableOf } from './variables.js';

/** Options of a server. */
type ServerOptions = Readonly<Record<string, Option<unknown>>>;

/** The variable that holds an option of a connection. */
export function nameOf(option: Option<unknown>, connection: string): string {
  return variableOf(option, connection) ?? '';
}

/** What the environment gives of a server to a connection, each value checked by itself; what is not set is left out. */
export function readGiven(
  options: ServerOptions,
  address: Option<unknown>,
  environment: Environment,
  connection: string,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const variable = nameOf(option, connection);
    const text = textOf(environment, variable);
    if (text === null) continue;
    // Never shown, by a server neither: an address holds a password as often as not.
    if (!option.secret && text.includes('://')) {
      refuse(variable, option.expected, `an address, which belongs into ${nameOf(address, connection)}`);
    }
    given[key] = readOption(option, variable, text);
  }
  return given;
}

export function refuse(variable: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`${variable}: expected ${expected}, came ${came}.`);
}

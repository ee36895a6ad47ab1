import { describe, QueueConfigurationException } from '../../contract/index.js';
import { assertBackend } from '../../module/assert-backend.js';
import { inspectEnvironment } from '../../module/configuration/inspect-environment.js';
import type { Environment } from '../../module/configuration/variables.js';
import { environmentFactories, environmentNames } from '../../module/environment-connections.js';
import type { ConnectionFactories } from '../../module/open-connections.js';
import { ConnectionDirectory, Queue, QueueConnection } from '../../queue/index.js';
import { CommandRefusedException } from '../command-refused.exception.js';
import { quoted } from '../output/format.js';
import { commandContext } from './command-context.js';
import { readConfigFile } from './config-file.js';

export interface ConnectionsOptions {
  readonly environment: Environment;
  /** A file to take the connections from, in place of the environment. */
  readonly config: string | undefined;
  /** Where a relative path begins. */
  readonly folder: string;
  readonly warn: (message: string) => void;
}

/** The connections that a command works on: opened when it asks for one, closed when it ends. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #directory = new ConnectionDirectory();
  #factories: Promise<ConnectionFactories> | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Opens a connection by its name. Nothing is sent to its server yet. */
  async open(name: string, warn = this.#options.warn): Promise<Queue> {
    this.#factories ??= this.#find();
    const factories = await this.#factories;
    const factory = factories[name];
    if (factory === undefined) {
      throw new QueueConfigurationException(
        `Expected the name of a connection, came ${describe(name)}. Known: ${quoted(Object.keys(factories))}. Name one of them ` +
          `with --connection, or add it ${this.#options.config === undefined ? 'to the environment' : 'to the file'}.`,
      );
    }
    const backend: unknown = await factory(commandContext(name, warn));
    assertBackend(name, backend);
    const reporter = { warn, error: warn };
    const connection = new QueueConnection({ name, backend, reporter });
    this.#directory.add(connection);
    assertShared(connection);
    return new Queue(connection, this.#directory);
  }

  /** Where the connections come from, in words: the names of variables, never values. */
  origin(): string {
    const { config, environment } = this.#options;
    if (config !== undefined) return `the file ${config}`;
    const { used } = inspectEnvironment(environment, environmentNames(environment));
    return `the environment: ${used.length === 0 ? 'no variable is set' : used.join(', ')}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.#directory.all().map(({ backend }) => backend.close().catch(() => undefined)));
  }

  async #find(): Promise<ConnectionFactories> {
    const { config, environment, folder, warn } = this.#options;
    if (config !== undefined) return readConfigFile(config, folder);
    for (const warning of inspectEnvironment(environment, environmentNames(environment)).warnings)
      warn(warning);
    return environmentFactories(environment);
  }
}

/** What is kept in a process is seen by no other: the command would look at an empty store of its own. */
function assertShared({ name, backend }: QueueConnection): void {
  if (backend.capabilities.durable && backend.capabilities.delivers) return;
  const why = backend.capabilities.delivers
    ? 'keeps its jobs in the process of the application, where no command sees them'
    : 'runs a job inside its push and keeps none';
  throw new CommandRefusedException(
    `Expected the connection "${name}" to have a store that processes share; its backend "${backend.driver}" ${why}. ` +
      'Name another connection with --connection.',
  );
}

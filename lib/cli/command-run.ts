import { canListQueues, keepsFailedJobs, QueueConfigurationException } from '../contract/index.js';
import { readOption } from '../module/configuration/check-option.js';
import { type Environment, textOf } from '../module/configuration/variables.js';
import { DEFAULT_CONNECTION, type Queue } from '../queue/index.js';
import type { Connections } from './connect/connections.js';
import { CONNECTION_OPTION } from './options.js';
import type { Terminal } from './output/terminal.js';

/** Newest failed jobs whose queues are listed beside those that hold jobs. */
const FAILED_LOOKED_AT = 100;

/** What a running command has around it. */
export class CommandRun {
  constructor(
    readonly terminal: Terminal,
    readonly connections: Connections,
    readonly environment: Environment,
    /** Answers in JSON. */
    readonly json: boolean,
    /** Aborts when the command is to end. */
    readonly stop: AbortSignal,
  ) {}

  /** Opens the connection that a flag names, else QUEUE_CONNECTION_NAME, else "default". */
  open(name: string | undefined, warn?: (message: string) => void): Promise<Queue> {
    return this.connections.open(name ?? this.#named() ?? DEFAULT_CONNECTION, warn);
  }

  /** The queues that were named, else all that the backend knows of. */
  async queuesOf(queue: Queue, given: readonly string[] | undefined): Promise<readonly string[]> {
    if (given !== undefined) return given;
    const { backend, name } = queue.connection;
    if (!canListQueues(backend)) {
      throw new QueueConfigurationException(
        `--queue: expected the names of queues, came nothing: the backend "${backend.driver}" of the connection "${name}" ` +
          'cannot list its queues. Name them, --queue=mail,default.',
      );
    }
    const holding = await backend.queues();
    if (!keepsFailedJobs(backend) || backend.capabilities.failedJobs === 'scan') return holding;
    const { jobs } = await backend.listFailed({ limit: FAILED_LOOKED_AT });
    return [...new Set([...holding, ...jobs.map((job) => job.queue)])].sort();
  }

  #named(): string | undefined {
    const option = CONNECTION_OPTION.connection;
    const variable = option.variable ?? '';
    const text = textOf(this.environment, variable);
    return text === null ? undefined : readOption(option, variable, text);
  }
}

/** The value of a flag that a command cannot do without. */
export function needed<Value>(value: Value | undefined, flag: string, expected: string): Value {
  if (value !== undefined) return value;
  throw new QueueConfigurationException(
    `--${flag}: expected ${expected}, came nothing. Use --${flag}=… Run with --help.`,
  );
}

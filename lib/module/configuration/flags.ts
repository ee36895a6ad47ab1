import { flagTable, readFlags } from './read-flags.js';
import { type GivenWorkerOptions, WORKER_OPTIONS } from './worker-options.js';

/** What a command line asks for. */
export interface ParsedFlags {
  readonly help: boolean;
  readonly given: GivenWorkerOptions;
}

const FLAGS = flagTable(WORKER_OPTIONS);

/** Reads a worker's flags. Throws `QueueConfigurationException` for what is no flag and for a value that does not fit. */
export function parseFlags(argv: readonly string[]): ParsedFlags {
  return readFlags(FLAGS, argv);
}

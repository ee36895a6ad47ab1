import {
  DuplicateQueueModuleException,
  InvalidQueueArgumentException,
  JobDeclarationException,
  QueueConfigurationException,
  QueueNotConsumableException,
  QueueServerException,
  QueueUnavailableException,
  SchemaOutdatedException,
  UnresolvableJobParameterException,
} from '../../contract/index.js';
import type { WorkerExitCode } from '../../worker/index.js';

/** Mistakes of whoever wrote or started the worker: starting it again changes nothing. */
const USAGE = [
  DuplicateQueueModuleException,
  InvalidQueueArgumentException,
  JobDeclarationException,
  QueueConfigurationException,
  QueueNotConsumableException,
  QueueUnavailableException,
  SchemaOutdatedException,
  UnresolvableJobParameterException,
];

/** What a worker process that could not start ends with (the numbers are those of BSD's sysexits). */
export function exitCodeOf(error: unknown): WorkerExitCode {
  if (USAGE.some((type) => error instanceof type)) return 64;
  return error instanceof QueueServerException ? 69 : 1;
}

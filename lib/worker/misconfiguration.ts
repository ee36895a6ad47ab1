import {
  QueueConfigurationException,
  QueueUnavailableException,
  SchemaOutdatedException,
} from '../contract/index.js';

/** What somebody has to mend outside of the code before a worker can go on: tables, options, a missing package. */
export function isMisconfiguration(error: unknown): error is Error {
  return (
    error instanceof SchemaOutdatedException ||
    error instanceof QueueConfigurationException ||
    error instanceof QueueUnavailableException
  );
}

import {
  assertMaxAttempts,
  assertPositiveSeconds,
  assertPriority,
  assertQueueName,
  describe,
  InvalidQueueArgumentException,
  isName,
  JobDeclarationException,
} from '../contract/index.js';
import { checkBackoff } from './check-backoff.js';
import { JOB_OPTIONS, type JobOptions } from './job-options.js';

/**
 * Refuses options that cannot work.
 *
 * @throws JobDeclarationException naming the class, the option, what was expected and what came
 */
export function checkJobOptions(target: Function, options: JobOptions): void {
  checkOptions(
    options,
    Object.keys(JOB_OPTIONS),
    (option) => `Job class ${target.name}: @Job({ ${option} })`,
  );
}

/** The same for a decorator that takes some of a job's options beside its own. */
export function checkOptions(options: JobOptions, known: readonly string[], at: At): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) {
    throw new JobDeclarationException(`${at(unknown)} is no option. Known are ${known.join(', ')}.`);
  }
  checkNames(options, at);
  try {
    if (options.queue !== undefined) assertQueueName(options.queue, at('queue'));
    if (options.maxAttempts !== undefined) assertMaxAttempts(options.maxAttempts, at('maxAttempts'));
    if (options.priority !== undefined) assertPriority(options.priority, at('priority'));
    if (options.leaseSeconds !== undefined) assertPositiveSeconds(options.leaseSeconds, at('leaseSeconds'));
    if (options.timeoutSeconds !== undefined)
      assertPositiveSeconds(options.timeoutSeconds, at('timeoutSeconds'));
  } catch (error) {
    if (error instanceof InvalidQueueArgumentException) throw new JobDeclarationException(error.message);
    throw error;
  }
  if (options.backoff !== undefined) checkBackoff(options.backoff, at('backoff'));
  if (options.args !== undefined) checkList(options.args, at('args'), 'names of properties');
  if (options.inject !== undefined) checkList(options.inject, at('inject'), 'tokens');
}

/** Where an option is, for messages. */
type At = (option: string) => string;

function checkNames(options: JobOptions, at: At): void {
  if (options.name !== undefined && !isWireName(options.name)) {
    refuse(at('name'), 'a non-empty well-formed string', options.name);
  }
  if (options.connection !== undefined && !isName(options.connection)) {
    refuse(at('connection'), '1 to 80 of the characters A-Z a-z 0-9 _ -', options.connection);
  }
  if (options.aliases === undefined) return;
  checkList(options.aliases, at('aliases'), 'former names');
  for (const alias of options.aliases) {
    if (!isWireName(alias)) refuse(at('aliases'), 'non-empty well-formed strings', alias);
  }
}

function isWireName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}

function checkList(value: unknown, what: string, of: string): void {
  if (!Array.isArray(value)) refuse(what, `an array of ${of}`, value);
}

function refuse(what: string, expected: string, came: unknown): never {
  throw new JobDeclarationException(`${what}: expected ${expected}, came ${describe(came)}.`);
}

import { InvalidQueueArgumentException } from './exceptions/invalid-queue-argument.exception.js';
import { describe } from './describe.js';

/** Amazon SQS's rule for standard queues, the narrowest of all backends: a name that passes is portable. */
export const NAME_PATTERN = /^[A-Za-z0-9_-]{1,80}$/;

export const MIN_PRIORITY = -100;
export const MAX_PRIORITY = 100;
export const MAX_METADATA_BYTES = 4_096;
export const MAX_UNIQUE_KEY_LENGTH = 255;
/** Some 250,000 years, a round number: counted from today it still ends at a time that a Date can hold. */
export const MAX_DELAY_SECONDS = 8_000_000_000_000;

function refuse(what: string, expected: string, came: unknown): never {
  throw new InvalidQueueArgumentException(`${what}: expected ${expected}, came ${describe(came)}.`);
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME_PATTERN.test(value);
}

/** Refuses what is no queue name. `what` begins the message, such as "push(): queue". */
export function assertQueueName(value: unknown, what: string): asserts value is string {
  if (!isName(value)) refuse(what, '1 to 80 of the characters A-Z a-z 0-9 _ -', value);
}

/** Refuses a list that holds a bad or repeated name; the whole list is checked before anything is touched. */
export function assertQueueNames(value: unknown, what: string): asserts value is readonly string[] {
  if (!Array.isArray(value)) refuse(what, 'an array of queue names', value);
  for (const name of value) assertQueueName(name, what);
  const repeated = value.find((name, index) => value.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new InvalidQueueArgumentException(`${what}: expected each name once, came "${repeated}" twice.`);
  }
}

export function assertDelaySeconds(value: unknown, what: string): asserts value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    refuse(what, '0 or a positive finite number of seconds', value);
  }
  if (value > MAX_DELAY_SECONDS) refuse(what, `at most ${MAX_DELAY_SECONDS} seconds`, value);
}

export function assertPositiveSeconds(value: unknown, what: string): asserts value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    refuse(what, 'a positive finite number of seconds', value);
  }
  if (value > MAX_DELAY_SECONDS) refuse(what, `at most ${MAX_DELAY_SECONDS} seconds`, value);
}

export function assertTimeoutSeconds(value: unknown, what: string): asserts value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    refuse(what, '0 (wait without a deadline) or a positive finite number of seconds', value);
  }
}

export function assertMaxAttempts(value: unknown, what: string): asserts value is number | null {
  if (value !== null && !(Number.isSafeInteger(value) && (value as number) >= 0)) {
    refuse(what, "null (the worker's default) or an integer of 0 or more", value);
  }
}

export function assertPriority(value: unknown, what: string): asserts value is number {
  if (!Number.isInteger(value) || (value as number) < MIN_PRIORITY || (value as number) > MAX_PRIORITY) {
    refuse(what, `an integer from ${MIN_PRIORITY} to ${MAX_PRIORITY}`, value);
  }
}

/**
 * Refuses what is no text where a job's id is expected, such as an object that a request brought: a driver may take it for
 * more than a value.
 */
export function assertJobId(value: unknown, what: string): asserts value is string {
  if (typeof value !== 'string') refuse(what, "a job's id", value);
}

/** The key's value is data of the application: only its kind and length are ever shown. */
export function assertUniqueKey(value: unknown, what: string): asserts value is string {
  const fits = typeof value === 'string' && value.length >= 1 && value.length <= MAX_UNIQUE_KEY_LENGTH;
  if (fits) return;
  const came = typeof value === 'string' ? `a string of ${value.length} characters` : describe(value);
  throw new InvalidQueueArgumentException(
    `${what}: expected a string of 1 to ${MAX_UNIQUE_KEY_LENGTH} characters, came ${came}.`,
  );
}

/** Own string keys and values, 4 KB of UTF-8 in all. Neither keys nor values are shown. */
export function assertMetadata(
  value: unknown,
  what: string,
): asserts value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(what, 'an object of string values', value);
  }
  let bytes = 0;
  for (const [index, [key, entry]] of Object.entries(value).entries()) {
    if (typeof entry !== 'string') refuse(`${what}, entry ${index}`, 'a string', entry);
    if (!key.isWellFormed() || !entry.isWellFormed()) {
      throw new InvalidQueueArgumentException(
        `${what}, entry ${index}: expected well-formed text, came a lone surrogate.`,
      );
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(entry);
  }
  if (bytes > MAX_METADATA_BYTES) {
    throw new InvalidQueueArgumentException(
      `${what}: expected at most ${MAX_METADATA_BYTES} bytes of keys and values, came ${bytes}. ` +
        'Store large data elsewhere and pass a reference.',
    );
  }
}

export function assertLimit(value: unknown, what: string): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) refuse(what, 'an integer of 1 or more', value);
}

import { isDeepStrictEqual } from 'node:util';
import { describe, InvalidQueueArgumentException } from '../../contract/index.js';
import {
  encodeArguments,
  isJobClass,
  type JobDefinition,
  jobDefinitionOf,
  type JobInstance,
  rebuildJob,
} from '../../jobs/index.js';
import { hashUniqueKey } from '../../queue/unique-key.js';
import type { RecordedPush } from './recorded-push.js';

/** A job of whichever class. */
export type AnyJob = JobInstance & { readonly [argument: string]: unknown };

/** What a job's constructor was given, as far as its properties show it. */
export type JobArguments<J> = {
  readonly [Name in keyof J as J[Name] extends (...args: never[]) => unknown ? never : Name]?: J[Name];
};

/**
 * What a push is expected to look like; what is left out may be anything.
 *
 * @publicApi
 */
export interface PushExpectation<J = AnyJob> {
  /** Properties of the job as a worker rebuilds it, compared deeply. */
  readonly args?: JobArguments<J>;
  readonly connection?: string;
  readonly queue?: string;
  readonly delaySeconds?: number;
  readonly priority?: number;
  readonly maxAttempts?: number | null;
  /** As the push gave it; null: none. */
  readonly uniqueKey?: string | null;
  /** Entries that have to be there; captured ones may be there too. */
  readonly metadata?: { readonly [key: string]: string };
}

/**
 * Which pushes are meant: those equal to a job in all arguments, those that an expectation describes, or those that a
 * function of the rebuilt job accepts.
 *
 * @publicApi
 */
export type PushMatch<J = AnyJob> =
  (AnyJob extends J ? JobInstance : J) | PushExpectation<J> | ((job: J, push: RecordedPush) => boolean);

const KNOWN: ReadonlySet<string> = new Set([
  'args',
  'connection',
  'queue',
  'delaySeconds',
  'priority',
  'maxAttempts',
  'uniqueKey',
  'metadata',
] satisfies (keyof PushExpectation)[]);

/** True for the pushes that are meant. `definitionOf` knows the class of each push. */
export type PushTest = (push: RecordedPush, definition: JobDefinition) => boolean;

/**
 * `target` is the class that all pushes in question have, null where they have several.
 *
 * @throws InvalidQueueArgumentException for an expectation of something that no push has
 */
export function testOf<J>(match: PushMatch<J>, target: JobDefinition | null, what: string): PushTest {
  if (typeof match === 'function') {
    const accepts = match as (job: unknown, push: RecordedPush) => boolean;
    return (push, definition) => accepts(rebuildJob(definition, push.args), push);
  }
  if (isJob(match)) {
    return (push, definition) =>
      jobDefinitionOf(match).target === definition.target &&
      isDeepStrictEqual(encodeArguments(definition, match), push.args);
  }
  const expected = match as PushExpectation;
  checkExpectation(expected, target, what);
  return (push, definition) => meets(push, definition, expected);
}

/** An instance of a class with `@Job()`. */
export function isJob(value: unknown): value is JobInstance {
  if (typeof value !== 'object' || value === null) return false;
  // Through the prototype: an argument may be named `constructor`.
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && isJobClass(prototype.constructor);
}

function checkExpectation(expected: PushExpectation, target: JobDefinition | null, what: string): void {
  const known = [...KNOWN].join(', ');
  if (typeof expected !== 'object' || expected === null) {
    throw new InvalidQueueArgumentException(
      `${what}: expected a job, a function or an object with some of ${known}; came ${describe(expected)}.`,
    );
  }
  for (const key of Object.keys(expected)) {
    if (KNOWN.has(key)) continue;
    throw new InvalidQueueArgumentException(
      `${what}: unknown "${key}". Known: ${known}. Arguments of the job go into args.`,
    );
  }
  if (target === null) return;
  const names = target.args.map(({ property }) => property);
  for (const name of Object.keys(expected.args ?? {})) {
    if (names.includes(name)) continue;
    throw new InvalidQueueArgumentException(
      `${what}: args: expected arguments of ${target.name} (${names.join(', ') || 'it has none'}), came "${name}".`,
    );
  }
}

function meets(
  push: RecordedPush,
  definition: JobDefinition,
  { args, metadata, uniqueKey, ...plain }: PushExpectation,
): boolean {
  for (const [key, value] of Object.entries(plain)) {
    if (value !== undefined && Reflect.get(push, key) !== value) return false;
  }
  if (uniqueKey !== undefined && push.uniqueKeyHash !== hashOf(uniqueKey)) return false;
  for (const [key, value] of Object.entries(metadata ?? {})) if (push.metadata[key] !== value) return false;
  if (args === undefined) return true;
  const job = rebuildJob(definition, push.args);
  return Object.entries(args).every(([name, value]) => isDeepStrictEqual(Reflect.get(job, name), value));
}

function hashOf(key: string | null): string | null {
  return key === null ? null : hashUniqueKey(key);
}

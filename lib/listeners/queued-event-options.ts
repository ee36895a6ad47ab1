import type { ArgDeclaration, SharedJobOptions } from '../jobs/index.js';
import { JOB_OPTIONS } from '../jobs/job-options.js';

/** A class whose instances are emitted. */
// oxlint-disable-next-line typescript/no-explicit-any
export type EventClass = new (...args: any[]) => object;

/** How a parameter's value travels, as for `@Arg()`; a class for its instances; null for the type that was emitted. */
export type EventValueType = ArgDeclaration | EventClass | null;

/**
 * How a queued listener's jobs are pushed and run. Everything has a default.
 *
 * @publicApi
 */
export interface QueuedEventOptions extends SharedJobOptions {
  /** The name of its jobs on the wire; `Class.method` without it. Give one where names may be minified. */
  readonly id?: string;
  /** How long a job waits before it runs, in seconds; 0 without it. */
  readonly delaySeconds?: number;
  /** Runs inside `emit()`, in the process that emits: nothing is pushed (false). */
  readonly inline?: boolean;
  /**
   * How the values of the method's parameters travel, in order, where their types do not say it: `Date | null`, an enum, an
   * event class in a toolchain that emits no types. null leaves it to the type.
   */
  readonly types?: readonly EventValueType[];
  /** Shows every value of the event as `[redacted]` wherever arguments are told (false). */
  readonly sensitive?: boolean;
}

/** Those that are a job's as well: checked as there. */
export const SHARED_OPTIONS = [
  'aliases',
  'queue',
  'connection',
  'maxAttempts',
  'backoff',
  'priority',
  'leaseSeconds',
  'timeoutSeconds',
] as const satisfies readonly (keyof SharedJobOptions & keyof typeof JOB_OPTIONS)[];

/** Every option, for checks. */
export const QUEUED_EVENT_OPTIONS: readonly string[] = [
  'id',
  ...SHARED_OPTIONS,
  'delaySeconds',
  'inline',
  'types',
  'sensitive',
];

import { describe } from './describe.js';
import { QueueConfigurationException } from './exceptions/queue-configuration.exception.js';

/**
 * How long failed jobs are kept, per queue; whichever bound is reached first. `false` keeps none: a job that is given up
 * on is removed, and only its event and log line remain.
 *
 * @publicApi
 */
export type FailedJobsOption =
  | false
  | {
      /** 30 days. */
      readonly maxAgeSeconds?: number;
      /** 10,000 jobs of a queue. */
      readonly maxCount?: number;
    };

/** The option with its defaults; null where no failed jobs are kept. */
export interface FailedJobsRetention {
  readonly maxAgeSeconds: number;
  readonly maxCount: number;
}

const DEFAULT_RETENTION: FailedJobsRetention = { maxAgeSeconds: 30 * 24 * 3_600, maxCount: 10_000 };

/** Checks the option of a backend function; `what` begins the message, such as "memory()". */
export function failedJobsRetention(
  option: FailedJobsOption | undefined,
  what: string,
): FailedJobsRetention | null {
  if (option === false) return null;
  if (option !== undefined && (typeof option !== 'object' || option === null)) {
    throw new QueueConfigurationException(
      `${what}: failedJobs: expected false or { maxAgeSeconds, maxCount }, came ${describe(option)}.`,
    );
  }
  const retention = { ...DEFAULT_RETENTION, ...option };
  const { maxAgeSeconds, maxCount } = retention;
  if (typeof maxAgeSeconds !== 'number' || !(maxAgeSeconds > 0)) {
    throw new QueueConfigurationException(
      `${what}: failedJobs.maxAgeSeconds: expected a positive number of seconds, came ${describe(maxAgeSeconds)}.`,
    );
  }
  if (!Number.isSafeInteger(maxCount) || maxCount < 1) {
    throw new QueueConfigurationException(
      `${what}: failedJobs.maxCount: expected an integer of 1 or more, came ${describe(maxCount)}. ` +
        'Give `failedJobs: false` to keep none.',
    );
  }
  return retention;
}

/** Values that statements are explained with: a batch of what the backlog holds (see backlog.ts). */
export interface PlanValues {
  readonly [name: string]: PlanValue;
}

export type PlanValue = string | number | null | readonly (string | number | null)[];

/** The queues of the backlog, and one that has no job. */
const QUEUES = ['empty', 'q0', 'q1', 'q2', 'q3', 'q4'];

/** Every hundredth row is reserved. */
export const HELD = Array.from({ length: 100 }, (_, index) => (index + 1) * 100);

/** What statements of every dialect take, in batches as large as the backend makes them. */
export const VALUES: PlanValues = {
  queue: 'q1',
  queues: QUEUES,
  id: 'id77777',
  limit: 50,
  token: 'token',
  leaseSeconds: 90,
  state: 1,
  maxAgeMs: 30 * 24 * 3_600_000,
  maxCount: 10_000,
};

/** The same value for each of the rows that are held. */
export function forEach<T>(value: T): T[] {
  return HELD.map(() => value);
}

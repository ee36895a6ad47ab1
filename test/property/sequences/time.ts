/**
 * Delays, leases and the passing of time are whole units, so that the model knows for certain what is due: a unit is much
 * longer than a run takes, and time that passes is a little longer than its units.
 */
export const UNIT_SECONDS = 100;
const EXTRA_SECONDS = 3;
/** The connection's lease. */
export const LEASE_UNITS = 3;
/** The lease of a job that has one of its own. */
export const BRIEF_LEASE_UNITS = 1;
/** Longer than everything that steps can ask for. */
export const ALL_OVER_UNITS = 40;

export function secondsOf(units: number): number {
  return units * UNIT_SECONDS;
}

/** What a store's clock is moved by. */
export function passingSecondsOf(units: number): number {
  return units * UNIT_SECONDS + EXTRA_SECONDS;
}

import type { FaultName } from '../ledger/entries.js';
import type { DeliveryRules, Leftovers } from '../target.js';

/** What must be under way when a fault hits, for the fault to show anything. */
export type InFlight = 'delivery' | 'settlement' | 'push' | 'anything';

/** A fault that must have hit, so often, while that was under way. */
export interface Bite {
  readonly fault: FaultName;
  readonly while: InFlight;
  readonly times: number;
}

/** What the judge knows of a trial beside its ledgers. */
export interface TrialFacts {
  /** How many jobs were to be pushed, numbered from 0. */
  readonly jobs: number;
  readonly leaseSeconds: number;
  readonly rules: DeliveryRules;
  readonly bites: readonly Bite[];
  /** What the backend counted after draining; null when it could not be asked. */
  readonly leftovers: Leftovers | null;
}

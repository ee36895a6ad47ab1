import type { DeliveryRules } from '../target.js';

/** Leases, each with a token that a settlement has to show: memory, sql and redis. */
export const FENCED_LEASES: DeliveryRules = {
  fenced: true,
  leases: true,
  silenceSeconds: null,
  answersAcks: true,
  redelivers: false,
  countsCrashes: true,
  listsFailed: true,
};

import type { JobHeader } from '../../../lib/contract/index.js';

/** The columns of a stored header; each is an integer but for the last two, a real and a text. */
export const headerColumns: readonly (readonly [column: string, field: keyof JobHeader])[] = [
  ['rank', 'rank'],
  ['v', 'v'],
  ['serial', 'serial'],
  ['attempts', 'attempts'],
  ['deferrals', 'deferrals'],
  ['grace_rounds', 'graceRounds'],
  ['priority', 'priority'],
  ['lease_seconds', 'leaseSeconds'],
  ['unique_key', 'uniqueKey'],
];

import { allOrNoneCases } from './all-or-none.cases.js';
import { attemptCases } from './attempts.cases.js';
import type { ConformanceCase } from './conformance-case.js';
import { delayCases } from './delays.cases.js';
import type { ConformanceHarness } from './harness.js';
import { leaseCases } from './leases.cases.js';
import { nameCases } from './names.cases.js';
import { settlementCases } from './settlement.cases.js';
import { countCases } from './counts.cases.js';
import { clearCases } from './clear.cases.js';
import { priorityCases } from './priority.cases.js';
import { uniqueCases } from './unique.cases.js';
import { concurrencyCases } from './concurrency.cases.js';
import { fidelityCases } from './fidelity.cases.js';
import { malformedCases } from './malformed.cases.js';
import { backendCases } from './backend.cases.js';
import { browseCases } from './browse.cases.js';
import { consumeCases } from './consume.cases.js';
import { troubleCases } from './trouble.cases.js';
import { chainCases } from './chain.cases.js';
import { failedCases } from './failed.cases.js';
import { unmetNeeds } from './needs.js';
import { orderCases } from './order.cases.js';
import { popCases } from './pop.cases.js';
import { pushCases } from './push.cases.js';
import { staleCases } from './stale.cases.js';

export type { ConformanceCase } from './conformance-case.js';
export type { ConformanceHarness, Facility, OpenedStore, OpenOptions, RawItem } from './harness.js';
export { type Needs, unmetNeeds } from './needs.js';
export { malformedKinds, type MalformedKind } from './raw-items.js';

/** Every promise of the contract that a backend must keep, as far as its capabilities go. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...nameCases,
  ...pushCases,
  ...allOrNoneCases,
  ...popCases,
  ...orderCases,
  ...delayCases,
  ...attemptCases,
  ...leaseCases,
  ...staleCases,
  ...settlementCases,
  ...countCases,
  ...clearCases,
  ...priorityCases,
  ...uniqueCases,
  ...concurrencyCases,
  ...fidelityCases,
  ...malformedCases,
  ...chainCases,
  ...failedCases,
  ...browseCases,
  ...backendCases,
  ...consumeCases,
  ...troubleCases,
];

/** A case that does not apply to a backend, and what would have to be there. */
export interface InapplicableCase {
  readonly title: string;
  readonly unmet: readonly string[];
}

/** The suite, divided for one backend. */
export interface ConformancePlan {
  readonly applicable: readonly ConformanceCase[];
  readonly inapplicable: readonly InapplicableCase[];
}

/** Divides the suite for one backend, by data alone: nothing is opened. */
export function planConformance(harness: ConformanceHarness): ConformancePlan {
  const applicable: ConformanceCase[] = [];
  const inapplicable: InapplicableCase[] = [];
  for (const conformanceCase of conformanceCases) {
    const unmet = unmetNeeds(conformanceCase.needs, harness);
    if (unmet.length === 0) applicable.push(conformanceCase);
    else inapplicable.push({ title: conformanceCase.title, unmet });
  }
  return { applicable, inapplicable };
}

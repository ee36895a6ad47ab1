import type { Capabilities } from '../../contract/index.js';
import type { ConformanceHarness, Facility } from './harness.js';

/**
 * What a case needs of a backend, as data. A capability must have the value given, or one of the values of a list; a
 * `max…` number must be at least as large, `delayGranularitySeconds` at most as large.
 */
export type Needs = {
  readonly [Name in keyof Capabilities]?: Capabilities[Name] | readonly Capabilities[Name][];
} & {
  readonly facilities?: readonly Facility[];
  /** A kind of malformed item that the store must be able to hold. */
  readonly holds?: string;
};

/** What is missing, one phrase a need, such as "capability clear: true"; empty when the case applies. */
export function unmetNeeds(needs: Needs, harness: ConformanceHarness): readonly string[] {
  const { facilities = [], holds, ...capabilities } = needs;
  const unmet: string[] = [];
  for (const [name, wanted] of Object.entries(capabilities)) {
    const has = harness.capabilities[name as keyof Capabilities];
    if (!satisfies(name, has, wanted)) unmet.push(`capability ${name}: ${phrase(wanted)}`);
  }
  for (const facility of facilities) {
    if (!harness.facilities.includes(facility)) unmet.push(`harness facility ${facility}`);
  }
  if (holds !== undefined && harness.cannotHold?.includes(holds) === true) {
    unmet.push(`a store that can hold ${holds}`);
  }
  return unmet;
}

function satisfies(name: string, has: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.includes(has);
  if (typeof wanted !== 'number' || typeof has !== 'number') return has === wanted;
  return name === 'delayGranularitySeconds' ? has <= wanted : has >= wanted;
}

function phrase(wanted: unknown): string {
  return Array.isArray(wanted) ? wanted.join(' or ') : String(wanted);
}

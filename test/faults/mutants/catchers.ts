import { askCases, askJudge, askTests } from './ask.js';
import { type Finding, ruleTitle } from './finding.js';
import type { CaughtBy, CaughtByCases, CaughtByJudge, SourceMutant } from './mutant.js';
import { stores } from './stores.js';

/** A mutant that fails this too is no mutant, but a library that does not work. */
const CONTROL = 'order: reserve() gives at most 1 when asked for 1';

export function isBySuite(caughtBy: CaughtBy): caughtBy is CaughtByCases {
  return 'suite' in caughtBy;
}

export function isByJudge(caughtBy: CaughtBy): caughtBy is CaughtByJudge {
  return 'cell' in caughtBy;
}

export function catchersOf({ caughtBy, judged }: SourceMutant): readonly CaughtBy[] {
  return judged === undefined ? [caughtBy] : [caughtBy, judged];
}

/** The backend that has to be there, by its name in KINETIS_TEST_BACKENDS; undefined where none has to. */
export function backendOf(caughtBy: CaughtBy): string | undefined {
  if (isBySuite(caughtBy)) return stores[caughtBy.suite];
  return isByJudge(caughtBy) ? caughtBy.target : caughtBy.backend;
}

/** Who is asked, for a report. */
export function nameOf(caughtBy: CaughtBy): string {
  if (isBySuite(caughtBy)) return `the suite on ${caughtBy.suite}`;
  return isByJudge(caughtBy)
    ? `the judge of ${caughtBy.cell} on ${caughtBy.target}, seed ${caughtBy.seed}`
    : caughtBy.file;
}

/** What catches a mutant says of a copy of the library. */
export function ask(good: string, copy: string, caughtBy: CaughtBy): Promise<readonly Finding[]> {
  if (isBySuite(caughtBy)) {
    return askCases(copy, caughtBy.suite, [...controlsOf(caughtBy), ...caughtBy.cases]);
  }
  return isByJudge(caughtBy) ? askJudge(good, copy, caughtBy) : askTests(copy, caughtBy);
}

/** The same of the good copy, of which it must have nothing to say. */
export function askOfGood(good: string, caughtBy: CaughtBy): Promise<readonly Finding[]> {
  return isByJudge(caughtBy) ? askJudge(good, good, { ...caughtBy, rules: [] }) : ask(good, good, caughtBy);
}

/** What has to pass on a mutant too. */
export function controlsOf(caughtBy: CaughtBy): readonly string[] {
  if (isBySuite(caughtBy)) return [caughtBy.control ?? CONTROL];
  return isByJudge(caughtBy) ? [ruleTitle('trial', caughtBy.cell, caughtBy.target)] : [];
}

/** All that catches some mutant, put together where one process can be asked for it. */
export function allCatchers(mutants: readonly SourceMutant[]): readonly CaughtBy[] {
  const together = new Map<string, CaughtBy>();
  for (const caughtBy of mutants.flatMap(catchersOf)) {
    const key = `${nameOf(caughtBy)} ${backendOf(caughtBy) ?? ''}`;
    const other = together.get(key);
    together.set(key, other === undefined ? caughtBy : joined(other, caughtBy));
  }
  return [...together.values()];
}

type Titles = readonly [string, ...string[]];

/** Both name the same store, or the same file. */
function joined(one: CaughtBy, other: CaughtBy): CaughtBy {
  const union = (a: Titles, b: readonly string[]): Titles => [a[0], ...new Set([...a, ...b].slice(1))];
  if (isBySuite(one)) return { ...one, cases: union(one.cases, isBySuite(other) ? other.cases : []) };
  if (isByJudge(one) || !('tests' in other)) return one;
  return { ...one, tests: union(one.tests, other.tests) };
}

import type { Finding } from './finding.js';

/** What became of one mutant. */
export interface MutantVerdict {
  readonly mutant: string;
  /** Where the library was broken: its files, from lib/ on. */
  readonly where: string;
  readonly caught: boolean;
  /** Who caught it; or what is wrong. */
  readonly by: string;
}

/** A mutant is caught when all that were named object to it, and it works otherwise. */
export function verdictOn(
  mutant: string,
  where: string,
  findings: readonly Finding[],
  mustPass: readonly string[],
): MutantVerdict {
  const said = (verdict: Finding['verdict'], among: (title: string) => boolean): readonly Finding[] =>
    findings.filter((finding) => finding.verdict === verdict && among(finding.title));
  const isControl = (title: string): boolean => mustPass.includes(title);
  const broken = [...said('breaks', () => true), ...said('objects', isControl)];
  const passed = said('passes', (title) => !isControl(title));
  const objections = said('objects', (title) => !isControl(title));
  if (broken.length > 0) {
    const what = broken.map(({ title, message }) => `${title} (${message})`).join('; ');
    return { mutant, where, caught: false, by: `it does not work at all: ${what}` };
  }
  if (passed.length > 0 || objections.length === 0) {
    const titles = passed.map(({ title }) => title).join('; ');
    return { mutant, where, caught: false, by: `survived: ${titles}` };
  }
  return { mutant, where, caught: true, by: objections.map(({ title }) => title).join('; ') };
}

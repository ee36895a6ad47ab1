import type { Capabilities } from '../../../lib/contract/index.js';
import { conformanceCases, type ConformanceHarness, planConformance } from '../../../lib/testing.js';
import { memoryHarness } from '../conformance/memory-harness.js';
import { oneLess } from '../crippled/profiles.js';

/** Every facility, so that only capabilities decide. */
const everything: ConformanceHarness = {
  ...memoryHarness,
  facilities: ['clock', 'storeRaw', 'second', 'disconnect', 'silence', 'silenceAck', 'refuse'],
  cannotHold: [],
};

const concernOf = (title: string): string => title.slice(0, title.indexOf(':'));

function applicableTo(capabilities: Partial<Capabilities>): ReadonlySet<string> {
  const harness = { ...everything, capabilities: { ...everything.capabilities, ...capabilities } };
  return new Set(planConformance(harness).applicable.map(({ title }) => title));
}

/** The concerns of cases, in bold where all cases of the concern are among them. */
function concernsOf(titles: readonly string[]): string {
  const count = (among: readonly string[], concern: string): number =>
    among.filter((title) => concernOf(title) === concern).length;
  const all = conformanceCases.map(({ title }) => title);
  const concerns = [...new Set(titles.map(concernOf))].map((concern) =>
    count(titles, concern) === count(all, concern) ? `**${concern}**` : concern,
  );
  return concerns.join(', ') || '–';
}

/** What the suite no longer asks of a backend that lacks one thing, and what it asks instead. */
export function leftOutTable(): string {
  const full = applicableTo({});
  const rows = Object.entries(oneLess).map(([name, lack]) => {
    const left = applicableTo(lack);
    const out = [...full].filter((title) => !left.has(title));
    const instead = [...left].filter((title) => !full.has(title));
    const value = Object.values(lack)[0];
    const capability = name.includes(':') ? name : `${name}: ${String(value)}`;
    return `| \`${capability}\` | ${concernsOf(out)} | ${concernsOf(instead)} |`;
  });
  return ['| Without | cases left out of | asked instead, of |', '| --- | --- | --- |', ...rows].join('\n');
}

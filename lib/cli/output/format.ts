/** What cannot be known. */
export const UNKNOWN = '–';

const GROUPED = new Intl.NumberFormat('en-US');

export function formatCount(count: number | null): string {
  return count === null ? UNKNOWN : GROUPED.format(count);
}

/** "1 job", "2 jobs". */
export function jobs(count: number): string {
  return `${formatCount(count)} job${count === 1 ? '' : 's'}`;
}

/** How long something lasts, in the largest unit that it has two of. */
export function formatAge(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 120 * 60) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.floor(seconds / 3_600)} h`;
  return `${formatCount(Math.floor(seconds / 86_400))} d`;
}

/** A change of a count over a time: "+1.5", "-20.0". */
export function formatRate(perSecond: number | null): string {
  if (perSecond === null) return UNKNOWN;
  return `${perSecond > 0 ? '+' : ''}${perSecond.toFixed(1)}`;
}

export function quoted(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `"${name}"`).join(', ');
}

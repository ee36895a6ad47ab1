/** The known word that was probably meant: at most two letters wrong, missing, added or swapped. */
export function nearMiss(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = 3;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance > 0 && distance < least && distance < candidate.length / 2) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (beforePrevious[j - 2] ?? 0) + 1
          : Infinity;
      row.push(Math.min(changed, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

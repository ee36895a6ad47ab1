/** Shorter ones would take ordinary words out of every message. */
const SHORTEST_TEXT = 4;

/** The texts in a stored value, however deep. */
export function textsIn(value: unknown): readonly string[] {
  const pending = [value];
  const texts = new Set<string>();
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && next.length >= SHORTEST_TEXT) texts.add(next);
    else if (typeof next === 'object' && next !== null) {
      for (const nested of Object.values(next)) pending.push(nested);
    }
  }
  return [...texts];
}

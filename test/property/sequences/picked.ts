/** One of what there is; undefined where nothing is. */
export function picked<T>(among: readonly T[], pick: number): T | undefined {
  return among.length === 0 ? undefined : among[pick % among.length];
}

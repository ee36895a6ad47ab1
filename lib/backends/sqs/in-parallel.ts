/** Runs the work of each entry, so many at a time, begun in order. Rejects with the first error that came. */
export async function inParallel<Entry>(
  entries: readonly Entry[],
  most: number,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const left = entries.values();
  const lane = async (): Promise<void> => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: Math.min(most, entries.length) }, lane));
}

/** Entries that were grouped, each with its place in the list that they came from. */
export interface QueueGroup<Entry> {
  readonly queue: string;
  readonly entries: Entry[];
  readonly places: number[];
}

/** Splits a list by queue: a script works on the keys of one. The order within a queue stays. */
export function byQueue<Entry>(
  entries: readonly Entry[],
  queueOf: (entry: Entry) => string,
): readonly QueueGroup<Entry>[] {
  const groups = new Map<string, QueueGroup<Entry>>();
  for (const [place, entry] of entries.entries()) {
    const queue = queueOf(entry);
    let group = groups.get(queue);
    if (group === undefined) groups.set(queue, (group = { queue, entries: [], places: [] }));
    group.entries.push(entry);
    group.places.push(place);
  }
  return [...groups.values()];
}

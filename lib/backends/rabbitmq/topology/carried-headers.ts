/** Headers of a message by name, as the client library decodes them. */
export interface MessageHeaders {
  readonly [name: string]: unknown;
}

/** A header frame is never split, and the client library encodes it into 64 KiB: what is carried must leave room. */
const MAX_CARRIED_BYTES = 16_384;

/**
 * Whether a header is an order to the broker, or its own record. Published again, `x-death` would make it drop a message
 * that passes the same queue a second time, and `CC` and `BCC` would send it to further queues.
 */
function isBrokers(name: string): boolean {
  return /^(x-|b?cc$)/i.test(name);
}

/** The headers of the library itself: a job that went back without them would be another one. */
const OWN: ReadonlySet<string> = new Set([
  'id',
  'v',
  'serial',
  'attempts',
  'deferrals',
  'graceRounds',
  'priority',
  'leaseSeconds',
]);

type Entry = readonly [name: string, value: unknown];

function bytesOf(entry: Entry): number {
  const text = JSON.stringify(entry, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return Buffer.byteLength(text);
}

/**
 * What goes along when a message is published again: all that is not the broker's, so that a field which newer code wrote
 * survives. Of headers that are too large those are left that fit, the library's own before any other. What a dead letter
 * has beside them is not among its own here: each death writes it anew.
 */
export function carriedHeaders(received: unknown): MessageHeaders {
  if (typeof received !== 'object' || received === null) return {};
  const entries = Object.entries(received).filter(([name]) => !isBrokers(name));
  const ownFirst = [
    ...entries.filter(([name]) => OWN.has(name)),
    ...entries.filter(([name]) => !OWN.has(name)),
  ];
  let left = MAX_CARRIED_BYTES;
  const carried = ownFirst.filter((entry) => {
    const bytes = bytesOf(entry);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return Object.fromEntries(carried);
}

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

function bytesOf(entries: readonly (readonly [string, unknown])[]): number {
  const text = JSON.stringify(entries, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return Buffer.byteLength(text);
}

/**
 * What goes along when a message is published again: all that is not the broker's, so that a field which newer code wrote
 * survives. Of headers that are too large only the numbers are left, which the envelope's own are.
 */
export function carriedHeaders(received: unknown): MessageHeaders {
  if (typeof received !== 'object' || received === null) return {};
  const entries = Object.entries(received).filter(([name]) => !isBrokers(name));
  if (bytesOf(entries) <= MAX_CARRIED_BYTES) return Object.fromEntries(entries);
  const numbers = entries.filter(([, value]) => typeof value === 'number');
  return bytesOf(numbers) <= MAX_CARRIED_BYTES ? Object.fromEntries(numbers) : {};
}

import type { PushSpan } from '../contract/index.js';

const MAX_CARRIER_BYTES = 4_096;
const NOTHING: Readonly<Record<string, string>> = {};

/**
 * Telemetry's own keys, which ride beside the application's. Short ones go first into what there is room for, so that
 * long baggage never costs a job its trace; what is no text stays behind.
 */
export function carrierOf(span: PushSpan | null): Readonly<Record<string, string>> {
  if (span?.carrier === undefined) return NOTHING;
  const entries = Object.entries<unknown>(span.carrier)
    .filter((entry): entry is [string, string] => isText(entry[0]) && isText(entry[1]))
    .map(([key, value]) => ({ key, value, bytes: Buffer.byteLength(key) + Buffer.byteLength(value) }))
    .sort((a, b) => a.bytes - b.bytes);
  const carrier: Record<string, string> = {};
  let left = MAX_CARRIER_BYTES;
  for (const { key, value, bytes } of entries) {
    left -= bytes;
    if (left < 0) break;
    carrier[key] = value;
  }
  return carrier;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

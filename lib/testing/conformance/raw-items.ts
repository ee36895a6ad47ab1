import { randomBytes } from 'node:crypto';
import type { JobBody, JobHeader } from '../../contract/index.js';
import type { RawItem } from './harness.js';

type Raw = Omit<RawItem, 'queue'>;
type Damage = (good: { readonly header: JobHeader; readonly body: JobBody }) => Raw;

/** One way in which a stored item is no job. */
export interface MalformedKind {
  /** Named in `ConformanceHarness.cannotHold` by a store that refuses it. */
  readonly kind: string;
  readonly make: () => Raw;
}

const goodHeader: JobHeader = {
  v: 1,
  serial: 0,
  attempts: 0,
  deferrals: 0,
  graceRounds: 0,
  leaseSeconds: null,
  priority: 0,
  rank: 0,
  uniqueKey: null,
};

export function goodBody(text = 'raw'): JobBody {
  return {
    id: randomBytes(16).toString('hex'),
    pushedAt: new Date().toISOString(),
    class: 'conformance.note',
    args: { text },
    maxAttempts: null,
    metadata: {},
    chain: [],
  };
}

/** An item as a push writes it, with fields of header and body replaced; undefined leaves a field out. */
export function rawItem(
  header: { readonly [field: string]: unknown } = {},
  body: { readonly [field: string]: unknown } = {},
): Raw {
  return { header: { ...goodHeader, ...header }, body: JSON.stringify({ ...goodBody(), ...body }) };
}

function kind(name: string, damage: Damage): MalformedKind {
  return { kind: name, make: () => damage({ header: goodHeader, body: goodBody() }) };
}

const text = (body: string | Uint8Array): Raw => ({ header: { ...goodHeader }, body });

const bytes: readonly MalformedKind[] = [
  kind('body: empty', () => text('')),
  kind('body: no JSON', () => text('not json at all')),
  kind('body: JSON cut short', ({ body }) => text(JSON.stringify(body).slice(0, -5))),
  kind('body: two JSON texts', ({ body }) => text(JSON.stringify(body).repeat(2))),
  kind('body: not UTF-8', () => text(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))),
  kind('body: a NUL byte', () => text(new Uint8Array([0]))),
  kind('body: UTF-8 cut within a character', () => text(new TextEncoder().encode('{"a":"é').slice(0, -1))),
  ...['null', '[]', '"text"', '7', 'true', '{}'].map((json) => kind(`body: ${json}`, () => text(json))),
];

/** Every field of the body, left out and in a shape that it cannot have. */
const bodyFields: readonly (readonly [field: keyof JobBody, ...values: unknown[]])[] = [
  ['id', undefined, null, 7, '', 'x'.repeat(32), 'a'.repeat(31), 'A'.repeat(32)],
  ['pushedAt', undefined, null, 1_700_000_000, 'yesterday', '2026-02-31T99:00:00Z', '2026-01-01 00:00:00'],
  ['class', undefined, null, 7, '', ['conformance.note']],
  ['args', undefined, null, [], 'text', 7],
  ['maxAttempts', undefined, '3', -1, 1.5, 1e300],
  ['metadata', undefined, null, [], { tenant: 7 }, 'text'],
  ['chain', undefined, null, {}, [7], [{}], [{ queue: 'bad name' }]],
];

/**
 * Every header field that a delivery takes from the store, likewise. `rank` is the backend's own: what stands in it
 * orders a queue and reaches nobody.
 */
const headerFields: readonly (readonly [field: keyof JobHeader, ...values: unknown[]])[] = [
  ['v', undefined, null, '1', 0, -1, 1.5],
  ['serial', undefined, null, 'many', -1, 1.5],
  ['attempts', undefined, null, 'many', -1, 1.5, 1e300],
  ['deferrals', undefined, null, 'many', -1, 1.5],
  ['graceRounds', undefined, null, 'many', -1, 1.5],
  ['leaseSeconds', 'long', 0, -1],
  ['priority', undefined, null, 'high', 101, -101, 0.5],
  ['uniqueKey', 7, 'not a hash', ''],
];

function shapeOf(value: unknown): string {
  if (value === undefined) return 'missing';
  const json = JSON.stringify(value);
  return json.length > 20 ? `${json.slice(0, 8)}… (${json.length})` : json;
}

/** Every way in which the suite damages an item, for a harness to say which of them its store cannot hold. */
export const malformedKinds: readonly MalformedKind[] = [
  ...bytes,
  ...bodyFields.flatMap(([field, ...values]) =>
    values.map((value) => kind(`body.${field}: ${shapeOf(value)}`, () => rawItem({}, { [field]: value }))),
  ),
  kind('header: unreadable', ({ body }) => ({ header: null, body: JSON.stringify(body) })),
  ...headerFields.flatMap(([field, ...values]) =>
    values.map((value) => kind(`header.${field}: ${shapeOf(value)}`, () => rawItem({ [field]: value }))),
  ),
];

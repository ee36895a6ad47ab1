import type { JobHeader, NewJob, RawHeader } from '../../contract/index.js';

/**
 * How a job stands in a list or sorted set: `q1`, 13 fields, each behind a `|`, then `|` and the body. The scripts read
 * the same; see scripts/parts/member.lua.
 */
export interface Member {
  readonly header: RawHeader;
  /** Empty where it cannot be read. */
  readonly id: string;
  /** The field of `bodies` that holds the body, or empty when it follows here. */
  readonly ref: string;
  readonly body: Buffer;
}

const FIELDS = 13;
const BAR = 0x7c;
const MAGIC = Buffer.from('q1|');
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

const HEADER_FIELDS = [
  'v',
  'serial',
  'attempts',
  'deferrals',
  'graceRounds',
  'leaseSeconds',
  'priority',
  'rank',
  'uniqueKey',
] as const satisfies readonly (keyof JobHeader)[];

/** The fields of a member that a push knows, up to the id. */
export function headOf(header: { readonly [field: string]: unknown }, id: string): string {
  return [...HEADER_FIELDS.map((field) => String(header[field] ?? '')), id].join('|');
}

/** Reads a member that stands in `pending`, `delayed` or `prioritized`. What does not look like one is all body. */
export function readMember(bytes: Buffer): Member {
  const unreadable = { header: null, id: '', ref: '', body: bytes };
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return unreadable;
  const fields: string[] = [];
  let start = MAGIC.length;
  while (fields.length < FIELDS) {
    const end = bytes.indexOf(BAR, start);
    if (end < 0) return unreadable;
    fields.push(bytes.toString('latin1', start, end));
    start = end + 1;
  }
  return {
    header: Object.fromEntries(
      HEADER_FIELDS.map((field, index) => [field, valueOf(field, fields[index] ?? '')]),
    ),
    id: fields[9] ?? '',
    ref: fields[12] ?? '',
    body: bytes.subarray(start),
  };
}

/** Reads a member of `leased`, which begins with the token of its delivery. */
export function readLeased(bytes: Buffer): Member {
  return readMember(withoutToken(bytes));
}

/** As scripts/parts/member.lua does it. */
function withoutToken(bytes: Buffer): Buffer {
  const end = bytes.indexOf(BAR);
  return end > 0 && /^[\da-f.]+$/i.test(bytes.toString('latin1', 0, end)) ? bytes.subarray(end + 1) : bytes;
}

function valueOf(field: keyof JobHeader, text: string): unknown {
  if (text === '') return field === 'leaseSeconds' || field === 'uniqueKey' ? null : undefined;
  return field !== 'uniqueKey' && NUMBER.test(text) ? Number(text) : text;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The body's text, or its bytes where they are no text. */
export function textOrBytes(bytes: Buffer): string | Uint8Array {
  try {
    return UTF8.decode(bytes);
  } catch {
    return new Uint8Array(bytes);
  }
}

/** The body of a member, wherever it stands. */
export function bodyOf(member: Member, large: unknown): string | Uint8Array {
  return textOrBytes(member.ref !== '' && Buffer.isBuffer(large) ? large : member.body);
}

/** A delay in whole milliseconds, rounded up: a delay is a floor. */
export function delayMsOf(delaySeconds: number): number {
  return Math.ceil(delaySeconds * 1_000);
}

/** A rank that a sorted set can order by; any other counts as 0. */
export function rankOf({ header }: Pick<NewJob, 'header'>): number {
  return Number.isInteger(header.rank) && Math.abs(header.rank) <= 1_000 ? header.rank : 0;
}

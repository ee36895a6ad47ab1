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
const MAGIC = 'q1|';
/** Bytes, with a unique key and a ref. */
const LONGEST_HEAD = 256;
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

/** Reads a member, wherever it stands. What does not look like one is all body. */
export function readMember(bytes: Buffer): Member {
  const fields = fieldsOf(bytes);
  if (fields === null) return { header: null, id: '', ref: '', body: bytes };
  const [v, serial, attempts, deferrals, graceRounds, leaseSeconds, priority, rank, uniqueKey] = fields;
  return {
    header: {
      v: numberOr(undefined, v),
      serial: numberOr(undefined, serial),
      attempts: numberOr(undefined, attempts),
      deferrals: numberOr(undefined, deferrals),
      graceRounds: numberOr(undefined, graceRounds),
      leaseSeconds: numberOr(null, leaseSeconds),
      priority: numberOr(undefined, priority),
      rank: numberOr(undefined, rank),
      uniqueKey: uniqueKey === '' ? null : uniqueKey,
    } satisfies { readonly [field in (typeof HEADER_FIELDS)[number]]: unknown },
    id: fields[9] ?? '',
    ref: fields[12] ?? '',
    // A bar stands in front of each field, and of the body.
    body: bytes.subarray(fields.reduce((length, field) => length + field.length + 1, MAGIC.length)),
  };
}

/** The 13 fields; null when it is no member. */
function fieldsOf(bytes: Buffer): string[] | null {
  // One text for all of them costs less than one for each; a head is seldom longer than this.
  return bytes.length > LONGEST_HEAD
    ? (fieldsOfText(bytes.toString('latin1', 0, LONGEST_HEAD)) ?? fieldsOfText(bytes.toString('latin1')))
    : fieldsOfText(bytes.toString('latin1'));
}

function fieldsOfText(text: string): string[] | null {
  if (!text.startsWith(MAGIC)) return null;
  const fields: string[] = [];
  let start = MAGIC.length;
  while (fields.length < FIELDS) {
    const end = text.indexOf('|', start);
    if (end < 0) return null;
    fields.push(text.slice(start, end));
    start = end + 1;
  }
  return fields;
}

/** A field as a number; the first value where it is empty, the text itself where it is no number. */
function numberOr(empty: null | undefined, text = ''): unknown {
  if (text === '') return empty;
  // Most are a single digit.
  const digit = text.length === 1 ? text.charCodeAt(0) - 0x30 : -1;
  if (digit >= 0 && digit <= 9) return digit;
  return NUMBER.test(text) ? Number(text) : text;
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

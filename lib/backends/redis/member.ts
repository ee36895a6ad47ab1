import { isUtf8 } from 'node:buffer';
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

/** Reads a member, wherever it stands. What does not look like one is all body. */
export function readMember(bytes: Buffer): Member {
  const end = endOfHead(bytes);
  if (end < 0) return { header: null, id: '', ref: '', body: bytes };
  const [v, serial, attempts, deferrals, graceRounds, leaseSeconds, priority, rank, uniqueKey, id, , , ref] =
    bytes.toString('latin1', MAGIC.length, end).split('|');
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
    id: id ?? '',
    ref: ref ?? '',
    body: bytes.subarray(end + 1),
  };
}

/** Where the bar behind the last field is; below 0 when it is no member. */
function endOfHead(bytes: Buffer): number {
  for (let index = 0; index < MAGIC.length; index += 1) if (bytes[index] !== MAGIC[index]) return -1;
  let bars = 0;
  for (let index = MAGIC.length; index < bytes.length; index += 1) {
    if (bytes[index] === BAR && (bars += 1) === FIELDS) return index;
  }
  return -1;
}

/** A field as a number; the first value where it is empty, the text itself where it is no number. */
function numberOr(empty: null | undefined, text = ''): unknown {
  if (text === '') return empty;
  return /^\d{1,15}$/.test(text) || NUMBER.test(text) ? Number(text) : text;
}

/** The body's text, or its bytes where they are no text. */
export function textOrBytes(bytes: Buffer): string | Uint8Array {
  return isUtf8(bytes) ? bytes.toString('utf8') : new Uint8Array(bytes);
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

import { MAX_BODY_LEVELS, MAX_STORED_BODY_LENGTH, nestsDeeperThan } from './body-limits.js';
import { isName, MAX_PRIORITY, MIN_PRIORITY } from './checks.js';
import { DecodingDefectException } from './exceptions/decoding-defect.exception.js';
import { MalformedQueuedJobDataException } from './exceptions/malformed-queued-job-data.exception.js';
import type { ChainStep, JobBody, WireValue } from './job-body.js';
import { DEFERRED_RANK, ENVELOPE_VERSION, type JobHeader } from './job-header.js';
import { QueuedJob } from './queued-job.js';
import type { ReservedItem } from './reserved-item.js';

/**
 * What the decoder made of an item: a job, an envelope that newer code wrote, bytes that are no envelope, or a failure
 * of the decoder itself, which says nothing about the item.
 */
export type Decoded =
  | { readonly kind: 'job'; readonly job: QueuedJob }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'malformed'; readonly error: MalformedQueuedJobDataException }
  | { readonly kind: 'defect'; readonly error: DecodingDefectException };

type Fields = { readonly [field: string]: unknown };

const ID = /^[0-9a-f]{32}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** RFC 3339 in UTC, to the millisecond or finer. */
const PUSHED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The one decoder: turns what a backend reserved into a job. Never throws. */
export function decodeItem(item: ReservedItem): Decoded {
  try {
    return decodeEnvelope(item);
  } catch (error) {
    if (error instanceof MalformedQueuedJobDataException) return { kind: 'malformed', error };
    return {
      kind: 'defect',
      error: new DecodingDefectException(
        `Expected the decoder to read an item of queue "${item.queue}" or to refuse it; it failed. The item was left ` +
          "where it is; this is a defect of the code, not of the item: report it with this error's cause.",
        { cause: error },
      ),
    };
  }
}

function decodeEnvelope(item: ReservedItem): Decoded {
  if (item.header === null) throw malformed('header', 'one that can be read');
  const version = integer(item.header, 'v', 1, Number.MAX_SAFE_INTEGER, 'header');
  if (version > ENVELOPE_VERSION) return { kind: 'newer', version };
  const header = decodeHeader(item.header, version);
  const body = decodeBody(item.body);
  return {
    kind: 'job',
    job: new QueuedJob({
      queue: item.queue,
      handle: item.receipt,
      header,
      body,
      leaseSeconds: item.leaseSeconds,
      lost: item.lost,
    }),
  };
}

function decodeHeader(raw: Fields, v: number): JobHeader {
  const counter = (field: string): number => integer(raw, field, 0, Number.MAX_SAFE_INTEGER - 1, 'header');
  return {
    v,
    serial: counter('serial'),
    attempts: counter('attempts'),
    deferrals: counter('deferrals'),
    graceRounds: counter('graceRounds'),
    leaseSeconds: raw['leaseSeconds'] === null ? null : positive(raw, 'leaseSeconds', 'header'),
    priority: integer(raw, 'priority', MIN_PRIORITY, MAX_PRIORITY, 'header'),
    rank: integer(raw, 'rank', MIN_PRIORITY, DEFERRED_RANK, 'header'),
    uniqueKey: raw['uniqueKey'] === null ? null : matching(raw, 'uniqueKey', SHA256, 'header'),
  };
}

function decodeBody(stored: string | Uint8Array): JobBody {
  const body = record(parse(stored), 'body');
  const pushedAt = matching(body, 'pushedAt', PUSHED_AT, 'body');
  if (Number.isNaN(Date.parse(pushedAt))) throw malformed('body.pushedAt', 'a time that exists');
  return {
    id: matching(body, 'id', ID, 'body'),
    pushedAt,
    class: nonEmpty(body, 'class', 'body'),
    args: record(body['args'], 'body.args') as { readonly [name: string]: WireValue },
    maxAttempts: nullableCount(body, 'maxAttempts', 'body'),
    metadata: strings(body['metadata'], 'body.metadata'),
    chain: list(body['chain'], 'body.chain').map((step, index) => decodeStep(step, `body.chain[${index}]`)),
  };
}

function decodeStep(value: unknown, at: string): ChainStep {
  const step = record(value, at);
  if (!isName(step['queue'])) throw malformed(`${at}.queue`, 'a queue name');
  const delaySeconds = step['delaySeconds'];
  if (typeof delaySeconds !== 'number' || !(delaySeconds >= 0)) {
    throw malformed(`${at}.delaySeconds`, 'a number of 0 or more');
  }
  return {
    id: matching(step, 'id', ID, at),
    queue: step['queue'],
    class: nonEmpty(step, 'class', at),
    args: record(step['args'], `${at}.args`) as { readonly [name: string]: WireValue },
    maxAttempts: nullableCount(step, 'maxAttempts', at),
    priority: integer(step, 'priority', MIN_PRIORITY, MAX_PRIORITY, at),
    leaseSeconds: step['leaseSeconds'] === null ? null : positive(step, 'leaseSeconds', at),
    delaySeconds,
    metadata: strings(step['metadata'], `${at}.metadata`),
  };
}

/** Size and depth are looked at before anything is made of the bytes, which anybody may have written. */
function parse(stored: string | Uint8Array): unknown {
  if (stored.length > MAX_STORED_BODY_LENGTH)
    throw malformed('body', `of at most ${MAX_STORED_BODY_LENGTH} bytes`);
  let text: string;
  try {
    text = typeof stored === 'string' ? stored : UTF8.decode(stored);
  } catch {
    throw malformed('body', 'UTF-8 text');
  }
  if (nestsDeeperThan(text, MAX_BODY_LEVELS)) {
    throw malformed('body', `nested at most ${MAX_BODY_LEVELS} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which is application data.
    throw malformed('body', 'JSON');
  }
}

function malformed(place: string, expected: string): MalformedQueuedJobDataException {
  return new MalformedQueuedJobDataException(
    `Expected ${place} to be ${expected}; what is stored is not. Find what else writes to this queue.`,
  );
}

function record(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(place, 'an object');
  }
  return value as Fields;
}

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(place, 'an array');
  return value;
}

function strings(value: unknown, place: string): { readonly [key: string]: string } {
  const entries = record(value, place);
  if (Object.values(entries).some((entry) => typeof entry !== 'string')) {
    throw malformed(place, 'an object of strings');
  }
  return entries as { readonly [key: string]: string };
}

function integer(fields: Fields, field: string, min: number, max: number, place: string): number {
  const value = fields[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw malformed(`${place}.${field}`, `an integer from ${min} to ${max}`);
  }
  return value;
}

function positive(fields: Fields, field: string, place: string): number {
  const value = fields[field];
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw malformed(`${place}.${field}`, 'null or a positive number');
  }
  return value;
}

function nullableCount(fields: Fields, field: string, place: string): number | null {
  return fields[field] === null ? null : integer(fields, field, 0, Number.MAX_SAFE_INTEGER, place);
}

function nonEmpty(fields: Fields, field: string, place: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value === '') throw malformed(`${place}.${field}`, 'a non-empty string');
  return value;
}

function matching(fields: Fields, field: string, pattern: RegExp, place: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw malformed(`${place}.${field}`, `a string like ${pattern.source}`);
  }
  return value;
}

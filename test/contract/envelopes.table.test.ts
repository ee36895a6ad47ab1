import { describe, expect, it } from 'vitest';
import {
  decodeItem,
  encodeBody,
  type JobBody,
  type JobHeader,
  MalformedQueuedJobDataException,
  newHeader,
  type RawHeader,
} from '../../lib/contract/index.js';

const BODY: JobBody = {
  id: '0123456789abcdef0123456789abcdef',
  pushedAt: '2026-05-04T03:02:01.000Z',
  class: 'SendMail',
  args: { to: 'someone' },
  maxAttempts: 3,
  metadata: { tenant: 'a' },
  chain: [],
};
const HEADER: JobHeader = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
const STEP = {
  id: 'f'.repeat(32),
  metadata: {},
  queue: 'mail',
  class: 'Next',
  args: {},
  maxAttempts: null,
  priority: 0,
  leaseSeconds: null,
  delaySeconds: 0,
};

function decode(body: string | Uint8Array, header: RawHeader = HEADER) {
  return decodeItem({ queue: 'mail', receipt: 'r', header, body, leaseSeconds: 90 });
}

const withBody = (changes: object): string => JSON.stringify({ ...BODY, ...changes });
const without = (field: keyof JobBody): string => withBody({ [field]: undefined });

/** Each row: what is wrong, the stored body, and the place that the error must name. */
const MALFORMED_BODIES: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['an empty string', '', 'body'],
  ['no JSON', 'SECRET{', 'body'],
  ['cut JSON', encodeBody(BODY).slice(0, -1), 'body'],
  ['two JSON values', '{}{}', 'body'],
  ['bytes that are no UTF-8', Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]), 'body'],
  ['null', 'null', 'body'],
  ['a number', '7', 'body'],
  ['a string', '"SECRET"', 'body'],
  ['an array', '[]', 'body'],
  ['no id', without('id'), 'body.id'],
  ['a short id', withBody({ id: 'abc' }), 'body.id'],
  ['an id in capitals', withBody({ id: BODY.id.toUpperCase() }), 'body.id'],
  ['an id with a line break', withBody({ id: `${BODY.id}\n` }), 'body.id'],
  ['no pushedAt', without('pushedAt'), 'body.pushedAt'],
  ['a local pushedAt', withBody({ pushedAt: '2026-05-04T03:02:01' }), 'body.pushedAt'],
  ['a pushedAt that does not exist', withBody({ pushedAt: '2026-13-41T03:02:01Z' }), 'body.pushedAt'],
  ['a pushedAt in milliseconds', withBody({ pushedAt: 1 }), 'body.pushedAt'],
  ['no class', without('class'), 'body.class'],
  ['an empty class', withBody({ class: '' }), 'body.class'],
  ['a class that is an object', withBody({ class: {} }), 'body.class'],
  ['no args', without('args'), 'body.args'],
  ['args that are a list', withBody({ args: ['SECRET'] }), 'body.args'],
  ['args that are null', withBody({ args: null }), 'body.args'],
  ['no maxAttempts', without('maxAttempts'), 'body.maxAttempts'],
  ['a negative maxAttempts', withBody({ maxAttempts: -1 }), 'body.maxAttempts'],
  ['a fractional maxAttempts', withBody({ maxAttempts: 1.5 }), 'body.maxAttempts'],
  ['a maxAttempts that is text', withBody({ maxAttempts: '3' }), 'body.maxAttempts'],
  [
    'a maxAttempts out of range',
    encodeBody(BODY).replace('"maxAttempts":3', '"maxAttempts":1e400'),
    'body.maxAttempts',
  ],
  ['no metadata', without('metadata'), 'body.metadata'],
  ['metadata with a number', withBody({ metadata: { SECRET: 1 } }), 'body.metadata'],
  ['metadata that is a list', withBody({ metadata: [] }), 'body.metadata'],
  ['no chain', without('chain'), 'body.chain'],
  ['a chain that is an object', withBody({ chain: {} }), 'body.chain'],
  ['a chain step that is null', withBody({ chain: [null] }), 'body.chain[0]'],
  [
    'a chain step with a bad queue',
    withBody({ chain: [{ ...STEP, queue: 'SE CRET' }] }),
    'body.chain[0].queue',
  ],
  [
    'a chain step without a class',
    withBody({ chain: [STEP, { ...STEP, class: '' }] }),
    'body.chain[1].class',
  ],
  [
    'a chain step with a negative delay',
    withBody({ chain: [{ ...STEP, delaySeconds: -1 }] }),
    'body.chain[0].delaySeconds',
  ],
  [
    'a chain step with a priority out of range',
    withBody({ chain: [{ ...STEP, priority: 101 }] }),
    'body.chain[0].priority',
  ],
  ['a chain step without an id', withBody({ chain: [{ ...STEP, id: undefined }] }), 'body.chain[0].id'],
  [
    'a chain step with metadata of numbers',
    withBody({ chain: [{ ...STEP, metadata: { a: 1 } }] }),
    'body.chain[0].metadata',
  ],
  ['a chain step without args', withBody({ chain: [{ ...STEP, args: null }] }), 'body.chain[0].args'],
];

const MALFORMED_HEADERS: readonly (readonly [string, RawHeader, string])[] = [
  ['a header that cannot be read', null, 'header'],
  ['an empty header', {}, 'header.v'],
  ['version 0', { ...HEADER, v: 0 }, 'header.v'],
  ['a version that is text', { ...HEADER, v: '1' }, 'header.v'],
  ['no serial', { ...HEADER, serial: undefined }, 'header.serial'],
  ['a negative attempts', { ...HEADER, attempts: -1 }, 'header.attempts'],
  ['no attempts', { ...HEADER, attempts: undefined }, 'header.attempts'],
  ['an attempts that would overflow', { ...HEADER, attempts: Number.MAX_SAFE_INTEGER }, 'header.attempts'],
  ['a fractional deferrals', { ...HEADER, deferrals: 0.5 }, 'header.deferrals'],
  ['a graceRounds that is NaN', { ...HEADER, graceRounds: Number.NaN }, 'header.graceRounds'],
  ['a leaseSeconds of 0', { ...HEADER, leaseSeconds: 0 }, 'header.leaseSeconds'],
  ['an infinite leaseSeconds', { ...HEADER, leaseSeconds: Infinity }, 'header.leaseSeconds'],
  ['a priority of 101', { ...HEADER, priority: 101 }, 'header.priority'],
  ['a rank beyond a deferral', { ...HEADER, rank: 1_001 }, 'header.rank'],
  ['a unique key that is no digest', { ...HEADER, uniqueKey: 'SECRET' }, 'header.uniqueKey'],
];

describe('the decoder', () => {
  it('reads what a push wrote', () => {
    const decoded = decode(encodeBody(BODY));
    expect(decoded.kind).toBe('job');
    if (decoded.kind !== 'job') return;
    expect(decoded.job).toMatchObject({
      id: BODY.id,
      class: 'SendMail',
      args: { to: 'someone' },
      attempts: 1,
      maxAttempts: 3,
      queue: 'mail',
      metadata: { tenant: 'a' },
      handle: 'r',
      pushedAt: new Date(BODY.pushedAt),
    });
  });

  it('reads the bytes of a body as well as its text', () => {
    expect(decode(new TextEncoder().encode(encodeBody(BODY))).kind).toBe('job');
  });

  it('reads the steps of a chain that are still to come', () => {
    const decoded = decode(withBody({ chain: [STEP] }));
    expect(decoded).toMatchObject({ kind: 'job', job: { body: { chain: [STEP] } } });
  });

  it('takes fields that it does not know without complaint', () => {
    expect(decode(withBody({ later: { added: true } })).kind).toBe('job');
  });

  it('keeps keys named __proto__ and constructor as data', () => {
    const decoded = decode(
      encodeBody(BODY).replace('"to":', '"__proto__":{"polluted":true},"constructor":1,"to":'),
    );
    expect(decoded.kind).toBe('job');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    if (decoded.kind === 'job')
      expect(Object.keys(decoded.job.args)).toEqual(['__proto__', 'constructor', 'to']);
  });

  it.each(MALFORMED_BODIES)('calls a body malformed: %s', (_title, body, place) => {
    expectMalformed(decode(body), place);
  });

  it.each(MALFORMED_HEADERS)('calls a header malformed: %s', (_title, header, place) => {
    expectMalformed(decode(encodeBody(BODY), header), place);
  });

  it('does not call an envelope of a later version malformed, whatever else it holds', () => {
    expect(decode('not even JSON', { ...HEADER, v: 2 })).toEqual({ kind: 'newer', version: 2 });
  });

  it('calls its own failure a defect and leaves the item out of it', () => {
    const failing = new Proxy(
      {},
      {
        get: () => {
          throw new TypeError('broken');
        },
      },
    );
    const decoded = decode(encodeBody(BODY), failing);
    expect(decoded.kind).toBe('defect');
    if (decoded.kind === 'defect') expect(decoded.error.cause).toBeInstanceOf(TypeError);
  });
});

function expectMalformed(decoded: ReturnType<typeof decode>, place: string): void {
  expect(decoded.kind).toBe('malformed');
  if (decoded.kind !== 'malformed') return;
  expect(decoded.error).toBeInstanceOf(MalformedQueuedJobDataException);
  expect(decoded.error.message).toContain(`Expected ${place} to be`);
  expect(decoded.error.message).not.toContain('SECRET');
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deadHeaders,
  newHeaders,
  readDeath,
  readHeader,
  retriedHeaders,
  returnedHeaders,
} from '../../lib/backends/rabbitmq/topology/index.js';
import { bodyOf, headOf, readMember } from '../../lib/backends/redis/member.js';
import { decodeStoredBody, encodeStoredBody } from '../../lib/backends/sql/stored-body.js';
import { messageOf } from '../../lib/backends/sqs/message.js';
import { headerOf } from '../../lib/backends/sqs/read-message.js';
import {
  decodeItem,
  encodeBody,
  type JobBody,
  type JobHeader,
  type RawHeader,
} from '../../lib/contract/index.js';
import { overTheWire } from '../rabbitmq/topology/over-the-wire.js';
import { LONG } from '../support/long.js';
import { anyText, jobBody, jobHeader } from './arbitrary-envelope.js';
import { repeated } from './repeated.js';

const MANY = repeated({ numRuns: LONG ? 10_000 : 300 });
const queueType = fc.constantFrom('classic' as const, 'quorum' as const);

function item(header: RawHeader, body: string | Uint8Array) {
  return { queue: 'mail', receipt: 1, leaseSeconds: null, header, body };
}

/** The member that a push makes of a job, and a body of its own where that is large. */
function memberOf(header: JobHeader, id: string, body: string): Buffer {
  return Buffer.from(`q1|${headOf({ ...header }, id)}|1700000000000.123|||${body}`);
}

describe('the decoder', () => {
  it('gives back the envelope that was written, header and body', () => {
    fc.assert(
      fc.property(jobHeader, jobBody, (header, body) => {
        const decoded = decodeItem(item(header, encodeBody(body)));
        expect(decoded).toMatchObject({ kind: 'job', job: { header, body } });
      }),
      MANY,
    );
  });

  it('takes text and its bytes for the same', () => {
    fc.assert(
      fc.property(jobHeader, jobBody, (header, body) => {
        const text = encodeBody(body);
        expect(decodeItem(item(header, Buffer.from(text)))).toEqual(decodeItem(item(header, text)));
      }),
      MANY,
    );
  });

  it('reads or refuses whatever is stored, and never fails itself', () => {
    const anything = fc.oneof(anyText, fc.json(), fc.uint8Array(), jobBody.map(encodeBody));
    const header = fc.oneof(jobHeader, fc.constant(null), damaged(jobHeader)) as fc.Arbitrary<RawHeader>;
    fc.assert(
      fc.property(header, anything, (raw, body) => decodeItem(item(raw, body)).kind !== 'defect'),
      repeated({ numRuns: LONG ? 30_000 : 500 }),
    );
  });

  it('reads or refuses a body one field of which is anything at all', () => {
    fc.assert(
      fc.property(jobHeader, damaged(jobBody), (header, body) => {
        const text = JSON.stringify(body);
        return decodeItem(item(header, text)).kind !== 'defect';
      }),
      repeated({ numRuns: LONG ? 30_000 : 500 }),
    );
  });
});

/** The same with one field of any shape, or none. */
function damaged<T extends object>(whole: fc.Arbitrary<T>): fc.Arbitrary<object> {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.double());
  return fc.tuple(whole, fc.nat(), value).map(([fields, pick, shape]) => {
    const names = Object.keys(fields);
    return { ...fields, [String(names[pick % names.length])]: shape };
  });
}

describe('a member of Redis', () => {
  it('gives back header, id and body', () => {
    fc.assert(
      fc.property(jobHeader, jobBody, (header, body) => {
        const text = encodeBody(body);
        const expected = { header, id: body.id };
        const waiting = readMember(memberOf(header, body.id, text));
        expect(waiting).toMatchObject(expected);
        expect(bodyOf(waiting, null)).toBe(text);
      }),
      MANY,
    );
  });

  it('that is something else is all body', () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(bytes, (foreign) => {
        const { header, body } = readMember(foreign);
        if (header === null) expect(body).toEqual(foreign);
        else expect(foreign.toString('latin1')).toMatch(/^q1\|/);
      }),
      MANY,
    );
  });
});

describe('a text column', () => {
  const marked = fc.oneof(
    anyText,
    anyText.map((text) => `base64:${text}`),
    fc.base64String().map((text) => `base64:${text}`),
  );
  const options = fc.record({
    asciiOnly: fc.boolean(),
    without: fc.option(fc.constantFrom('\\', '"', 'x'), { nil: undefined }),
  });

  it('gives back every text, also one that looks like the marker of bytes', () => {
    fc.assert(
      fc.property(marked, options, (text, { asciiOnly, without }) => {
        const stored = encodeStoredBody(text, without === undefined ? { asciiOnly } : { asciiOnly, without });
        expect(decodeStoredBody(stored)).toBe(text);
        expect(stored).not.toContain('\0');
        // oxlint-disable-next-line no-control-regex -- what an ASCII column holds
        if (asciiOnly) expect(stored).toMatch(/^[\x01-\x7f]*$/);
      }),
      MANY,
    );
  });

  it('gives back every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const read = decodeStoredBody(encodeStoredBody(bytes));
        expect(Buffer.from(read as Uint8Array)).toEqual(Buffer.from(bytes));
      }),
      MANY,
    );
  });

  it('gives back as it is what somebody else wrote there', () => {
    fc.assert(
      fc.property(
        marked.filter((text) => !text.startsWith('base64:')),
        (text) => decodeStoredBody(text) === text,
      ),
      MANY,
    );
  });
});

describe('a message of SQS', () => {
  it('says the same in characters that SQS takes, and keeps what its header can', () => {
    fc.assert(
      fc.property(jobHeader, jobBody, ({ v, leaseSeconds, ...header }, body) => {
        const job = {
          id: body.id,
          queue: 'mail',
          header: { v, leaseSeconds, ...header },
          body: encodeBody(body),
        };
        const message = messageOf({ ...job, delaySeconds: 0 });
        const texts = [
          message.body,
          ...Object.values(message.attributes).map(({ StringValue = '' }) => StringValue),
        ];
        for (const text of texts)
          expect(text).toMatch(/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u);
        expect(JSON.parse(message.body)).toEqual(JSON.parse(job.body));
        const received = {
          Attributes: { ApproximateReceiveCount: '3' },
          MessageAttributes: { ...message.attributes },
        };
        expect(headerOf(received)).toMatchObject({ v, leaseSeconds, attempts: 2 });
      }),
      MANY,
    );
  });
});

describe('the headers of an AMQP message', () => {
  const kept = ({ uniqueKey: _uniqueKey, rank: _rank, ...header }: JobHeader) => header;

  it('give back what a push wrote', () => {
    fc.assert(
      fc.property(jobHeader, jobBody, queueType, (header, { id }, type) => {
        const headers = overTheWire(newHeaders({ id, header }));
        expect(headers['id']).toBe(id);
        expect(readHeader(headers, type)).toMatchObject(kept(header));
      }),
      MANY,
    );
  });

  it('of a job that goes back say what was changed, and the next serial', () => {
    const changes = fc.record(
      { attempts: fc.nat(), deferrals: fc.nat(), graceRounds: fc.nat() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(jobHeader, jobBody, queueType, changes, (header, { id }, type, changed) => {
        const returned = overTheWire(returnedHeaders(overTheWire(newHeaders({ id, header })), type, changed));
        const expected = { ...kept(header), ...changed, serial: header.serial + 1 };
        expect(readHeader(returned, type)).toMatchObject(expected);
        expect(returned['id']).toBe(id);
      }),
      MANY,
    );
  });

  it('of a dead letter keep the job and its failure, and a retry starts over', () => {
    const failure = fc.record({
      cause: fc.constantFrom('exhausted' as const, 'fatal' as const, 'undecodable' as const),
      error: fc.string({ maxLength: 60 }),
      message: fc.string({ unit: 'grapheme', maxLength: 200 }),
      stack: fc.option(fc.string({ maxLength: 200 })),
    });
    const failedAt = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        jobHeader,
        jobBody,
        queueType,
        fc.record({ failure, failedAt }),
        (header, body: JobBody, type, death) => {
          const { id } = body;
          const received = overTheWire(newHeaders({ id, header }));
          const dead = overTheWire(deadHeaders(received, type, { queue: 'mail', id, ...death }));
          expect(readDeath(dead, 'mail')).toEqual({ id, ...death });
          const again = readHeader(overTheWire(retriedHeaders(dead)), type);
          const expected = {
            ...kept(header),
            attempts: 0,
            deferrals: 0,
            graceRounds: 0,
            serial: header.serial + 1,
          };
          expect(again).toMatchObject(expected);
        },
      ),
      MANY,
    );
  });
});

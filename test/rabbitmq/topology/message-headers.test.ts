import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HeaderChanges, type JobHeader, newHeader } from '../../../lib/contract/index.js';
import {
  carriedHeaders,
  newHeaders,
  readHeader,
  returnedHeaders,
} from '../../../lib/backends/rabbitmq/topology/index.js';
import { overTheWire } from './over-the-wire.js';

const id = '0123456789abcdef0123456789abcdef';
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 });
const header: fc.Arbitrary<JobHeader> = fc
  .record({
    v: fc.integer({ min: 1, max: 9 }),
    serial: count,
    attempts: count,
    deferrals: count,
    graceRounds: count,
    leaseSeconds: fc.option(fc.double({ min: 0.001, max: 1e9, noNaN: true })),
    priority: fc.integer({ min: -100, max: 100 }),
  })
  .map((fields) => ({ ...fields, rank: fields.priority, uniqueKey: null }));
const queueType = fc.constantFrom('classic' as const, 'quorum' as const);

it('a header that was published is read as it was, over the wire', () => {
  fc.assert(
    fc.property(header, queueType, (sent, type) => {
      expect(readHeader(overTheWire(newHeaders({ id, header: sent })), type)).toEqual(sent);
    }),
  );
});

it('a job without a lease of its own has no header for it', () => {
  const sent = newHeader({ leaseSeconds: null, priority: 7, uniqueKey: null });
  expect(newHeaders({ id, header: sent })).toEqual({
    id,
    v: 1,
    serial: 0,
    attempts: 0,
    deferrals: 0,
    graceRounds: 0,
    priority: 7,
  });
});

it.each([[undefined], [{}], [{ attempts: undefined }]])(
  'what is missing is that of a job never delivered: %j',
  (headers) => {
    const expected = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
    expect(readHeader(headers, 'classic')).toEqual(expected);
  },
);

it('what is malformed is passed on as it is', () => {
  const odd = { attempts: '3', v: null, serial: -1, priority: { '!': 'timestamp', value: 1 } };
  expect(readHeader(odd, 'quorum')).toMatchObject({ ...odd, rank: odd.priority, deferrals: 0 });
  expect(readHeader('text', 'classic')).toBe(null);
  expect(readHeader(null, 'classic')).toBe(null);
});

it('reading takes anything, and inherits nothing', () => {
  fc.assert(
    fc.property(fc.anything(), queueType, (headers, type) => {
      readHeader(headers, type);
      returnedHeaders(headers, type, {});
    }),
  );
  expect(readHeader(Object.create({ attempts: 9 }), 'classic')).toMatchObject({ attempts: 0 });
});

it('a quorum queue counts deliveries; the count that is left on a classic one is not', () => {
  const headers = { attempts: 2, 'x-delivery-count': 3 };
  expect(readHeader(headers, 'quorum')).toMatchObject({ attempts: 5 });
  expect(readHeader(headers, 'classic')).toMatchObject({ attempts: 2 });
  expect(readHeader({ ...headers, attempts: 'two' }, 'quorum')).toMatchObject({ attempts: 'two' });
  expect(readHeader({ ...headers, 'x-delivery-count': 'three' }, 'quorum')).toMatchObject({ attempts: 2 });
});

const changes: fc.Arbitrary<Omit<HeaderChanges, 'rank'>> = fc.record(
  { attempts: count, deferrals: count, graceRounds: count },
  { requiredKeys: [] },
);

it('a return raises the serial and makes the changes, nothing else', () => {
  fc.assert(
    fc.property(header, changes, queueType, (sent, wanted, type) => {
      const received = overTheWire(newHeaders({ id, header: sent }));
      const returned = overTheWire(returnedHeaders(received, type, wanted));
      expect(returned['id']).toBe(id);
      expect(readHeader(returned, type)).toEqual({ ...sent, ...wanted, serial: sent.serial + 1 });
    }),
  );
});

it('deliveries that the broker counted stay counted when the job goes back without a change', () => {
  const returned = returnedHeaders({ attempts: 1, 'x-delivery-count': 2 }, 'quorum', {});
  expect(returned).toMatchObject({ attempts: 3 });
  expect(returned).not.toHaveProperty('x-delivery-count');
});

it('fields that newer code wrote survive a return', () => {
  const newer = { v: 2, shard: 'eu', nested: { a: [1] }, attempts: 1 };
  expect(returnedHeaders(newer, 'classic', {})).toMatchObject({ ...newer, serial: 1 });
});

it('what is an order to the broker or its own record is not published again', () => {
  const received = {
    CC: ['other'],
    BCC: ['hidden'],
    bcc: ['hidden'],
    'x-death': [{ queue: 'q.delay.1s', reason: 'expired' }],
    'x-first-death-queue': 'q.delay.1s',
    'X-Delay': 5,
    'x-delivery-count': 1,
    ccy: 'EUR',
    tenant: 'a',
  };
  expect(carriedHeaders(received)).toEqual({ ccy: 'EUR', tenant: 'a' });
});

it("headers that would not fit beside others are left behind, the library's own are not", () => {
  const own = newHeaders({ id, header: newHeader({ leaseSeconds: 5, priority: 7, uniqueKey: null }) });
  const carried = carriedHeaders({ huge: 'x'.repeat(60_000), tenant: 'a', ...own });
  expect(carried).toEqual({ ...own, tenant: 'a' });
});

it('many headers are cut to what fits, the own ones come first', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, n]));
  const carried = carriedHeaders({ ...many, id, attempts: 3 });
  expect(carried).toMatchObject({ id, attempts: 3, n0: 0 });
  expect(JSON.stringify(carried).length).toBeLessThanOrEqual(16_384);
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Failure, FailureCause } from '../../../lib/contract/index.js';
import {
  deadHeaders,
  publishProperties,
  readDeath,
  readHeader,
  retriedHeaders,
} from '../../../lib/backends/rabbitmq/topology/index.js';
import { overTheWire } from './over-the-wire.js';

const id = '0123456789abcdef0123456789abcdef';
const failedAt = new Date('2026-03-01T10:20:30.456Z');
const failure: Failure = { cause: 'exhausted', error: 'TypeError', message: 'no', stack: 'at x' };
const causes: readonly FailureCause[] = ['exhausted', 'fatal', 'unknown-class', 'crash-limit', 'undecodable'];
const text = fc.string({ unit: 'grapheme', maxLength: 200 });

it('a failure is read as it was written, over the wire', () => {
  fc.assert(
    fc.property(
      fc.record({
        cause: fc.constantFrom(...causes),
        error: text.map((name) => name.slice(0, 20).toWellFormed()),
        message: text,
        stack: fc.option(text),
      }),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }),
      (written, at) => {
        const death = { queue: 'mail', id, failure: written, failedAt: at };
        const read = readDeath(overTheWire(deadHeaders({}, 'classic', death)), 'shop-mail');
        expect(read).toEqual({ id, failure: written, failedAt: at });
      },
    ),
  );
});

it('a dead letter says why, from which queue and after how many attempts', () => {
  const received = { attempts: 2, 'x-delivery-count': 1, serial: 9, tenant: 'a' };
  expect(deadHeaders(received, 'quorum', { queue: 'mail', id, failure, failedAt })).toEqual({
    id,
    v: 1,
    serial: 9,
    attempts: 3,
    deferrals: 0,
    graceRounds: 0,
    priority: 0,
    tenant: 'a',
    originalQueue: 'mail',
    deathReason: 'exhausted',
    error: 'TypeError',
    errorMessage: 'no',
    errorStack: 'at x',
    failedAt: '2026-03-01T10:20:30.456Z',
  });
});

it('texts and headers of any size fit into what the client library can send', () => {
  const long = '\u{1F4E8}é'.repeat(50_000);
  const received = { attempts: long, other: long };
  const death = {
    queue: 'q',
    id,
    failedAt,
    failure: { cause: 'fatal', error: long, message: long, stack: long },
  };
  const read = readDeath(overTheWire(deadHeaders(received, 'classic', death as never)), 'q');
  expect(Buffer.byteLength(read.failure.message)).toBeGreaterThan(4_000);
  expect(long.startsWith(read.failure.message)).toBe(true);
  expect(long.startsWith(read.failure.stack ?? '-')).toBe(true);
});

it('a retried job starts to count anew, its serial goes on, and no word of the failure stays', () => {
  const dead = deadHeaders(
    { attempts: 5, deferrals: 2, graceRounds: 3, serial: 7, priority: -4 },
    'classic',
    {
      queue: 'q',
      id,
      failure,
      failedAt,
    },
  );
  const retried = retriedHeaders({ ...dead, 'x-death': [{ queue: 'q', reason: 'expired' }] });
  expect(retried).toEqual({ id, v: 1, serial: 8, attempts: 0, deferrals: 0, graceRounds: 0, priority: -4 });
});

it('a second death leaves nothing of the first', () => {
  const first = deadHeaders({}, 'classic', { queue: 'q', id, failure, failedAt });
  const second = { queue: 'q', id, failedAt, failure: { ...failure, stack: null } };
  expect(readDeath(overTheWire(deadHeaders(first, 'classic', second)), 'q').failure.stack).toBe(null);
});

it('a job that the broker moved because its time to live was over says so', () => {
  const tiers = { queue: 'shop-q.delay.1s', reason: 'expired', time: { '!': 'timestamp', value: 1 } };
  const own = { queue: 'shop-q', reason: 'expired', time: { '!': 'timestamp', value: 1_796_031_506 } };
  const read = readDeath({ id, 'x-death': [null, tiers, own] }, 'shop-q');
  expect(read).toMatchObject({ id, failure: { cause: 'fatal', error: 'MessageExpired', stack: null } });
  expect(read.failedAt).toEqual(new Date(1_796_031_506_000));
  expect(readDeath({ 'x-death': [tiers] }, 'shop-q').failure.error).toBe('Unknown');
});

it('what a stranger put among the dead letters is read too, whatever it is', () => {
  fc.assert(
    fc.property(fc.anything(), (headers) => {
      expect(causes).toContain(readDeath(headers, 'q').failure.cause);
      expect(causes).toContain(readDeath({ 'x-death': headers }, 'q').failure.cause);
      expect(readHeader(overTheWire(retriedHeaders({})), 'classic')).toMatchObject({ serial: 1 });
    }),
  );
  const odd = {
    deathReason: 'toString',
    failedAt: 'soon',
    'x-death': [{ queue: 'q', reason: 'expired', time: 1e300 }],
  };
  expect(readDeath(odd, 'q')).toMatchObject({ failedAt: null, failure: { error: 'MessageExpired' } });
});

it('a publish is persistent, mandatory and known by an id; it has a priority only where there are levels', () => {
  const message = { messageId: 'publish-1', headers: { attempts: 0 } };
  expect(publishProperties({ ...message, level: undefined })).toEqual({
    ...message,
    persistent: true,
    mandatory: true,
    contentType: 'application/json',
  });
  expect(publishProperties({ ...message, level: 0, contentType: null })).toEqual({
    ...message,
    persistent: true,
    mandatory: true,
    priority: 0,
  });
});

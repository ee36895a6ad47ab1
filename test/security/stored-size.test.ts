import { describe, expect, test } from 'vitest';
import {
  MalformedJobSettledException,
  MAX_BODY_BYTES,
  MAX_BODY_LEVELS,
  nestsDeeperThan,
  newHeader,
} from '../../lib/contract/index.js';
import { UnserializableJobException } from '../../lib/index.js';
import { Note } from '../../lib/testing/conformance/jobs.js';
import { Session } from '../../lib/testing/conformance/session.js';
import { LONG } from '../support/long.js';
import { testedStores } from './support/stores.js';
import { withSession } from './support/with-session.js';

const HEADER = { ...newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null }) };

/** A body that is right but for one argument, which stands there as it is. */
function bodyWith(argument: string): string {
  const head = `{"id":"${'a'.repeat(32)}","pushedAt":"2026-01-01T00:00:00.000Z","class":"${Note.name}"`;
  return `${head},"args":{"text":${argument}},"maxAttempts":null,"metadata":{},"chain":[]}`;
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

const MANY_MIB = (LONG ? 100 : 17) * 1_024 * 1_024;

/** What a store does not take for itself is no danger: MariaDB's packets are 16 MiB, a message of SQS 1 MiB. */
const TOO_LONG_FOR = /^(mariadb|sqs)/;

const hostile: readonly (readonly [what: string, body: () => string | Uint8Array])[] = [
  ['100,000 levels of arrays', () => bodyWith(nested(100_000))],
  ['100,000 levels of objects', () => bodyWith(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  ['100,000 levels that never end', () => '['.repeat(100_000)],
  ['100,000 levels behind a string of brackets', () => bodyWith(`["]]]]\\"[[",${nested(100_000)}]`)],
  ['100,000 levels in a field that nobody knows', () => bodyWith(`"","later":${nested(100_000)}`)],
  ['levels in bytes that are no text', () => Buffer.concat([Buffer.from(nested(100_000)), Buffer.of(0xff)])],
];
const long: typeof hostile = [
  ['millions of empty arrays', () => bodyWith(`[${'[],'.repeat(MANY_MIB / 3)}1]`)],
  ['one long text', () => bodyWith(`"${'x'.repeat(MANY_MIB)}"`)],
];

describe.each(testedStores)('what somebody else stored on $name', ({ name, open }) => {
  let session: Session;
  withSession(open, (opened) => (session = opened));

  test.each(TOO_LONG_FOR.test(name) ? hostile : [...hostile, ...long])(
    'is settled as malformed without being parsed, and the next job comes: %s',
    async (_what, body) => {
      await session.storeRaw({ header: HEADER, body: body() });
      const answer = await session.look([session.queue]);
      // Of the answer itself a failure would show all levels, and all of its millions of characters.
      expect(answer?.constructor).toBe(MalformedJobSettledException);
      expect((answer as MalformedJobSettledException).disposition).toMatch(/^(failed-store|removed)$/);
      expect(String((answer as Error).cause)).toMatch(/levels deep|of at most \d+ bytes|UTF-8/);
      const id = await session.push(new Note('after it'));
      const next = await session.take();
      expect(next.id).toBe(id);
      await session.connection.settler.ack(next);
    },
    180_000,
  );
});

describe('a push', () => {
  test('of more than is read again is refused, and nothing is stored', async () => {
    const session = await Session.open((await testedStores[0]!.open()).harness);
    const fits = 'x'.repeat(MAX_BODY_BYTES - 1_000);
    await expect(session.push(new Note(`${fits}${'x'.repeat(1_000)}`))).rejects.toThrow(
      UnserializableJobException,
    );
    await expect(session.push(new Note('é'.repeat(MAX_BODY_BYTES / 2)))).rejects.toThrow(
      /expected at most 16777216 bytes .* came \d+\./,
    );
    expect(await session.api.size(session.queue)).toBe(0);
    await session.push(new Note(fits));
    expect((await session.take()).args['text']).toBe(fits);
    await session.close();
  });
});

describe('the depth of a text', () => {
  test.each([3, 31, 32, 33, MAX_BODY_LEVELS, 100_000])('is told of %s levels', (levels) => {
    const inner = nested(levels - 1);
    for (const text of [nested(levels), `{"[[\\\\":"]]\\"}}","b":${inner}}`, `[{},{},[[]],"[",${inner}]`]) {
      expect(Array.isArray(JSON.parse(text)) || text.startsWith('{')).toBe(true);
      expect(nestsDeeperThan(text, levels - 1)).toBe(true);
      expect(nestsDeeperThan(text, levels)).toBe(false);
    }
  });
});

import { describe, expect, test, vi } from 'vitest';
import {
  InvalidQueueArgumentException,
  type NewJob,
  newHeader,
  QueuedJob,
} from '../../lib/contract/index.js';
import { Handle, Job } from '../../lib/index.js';
import { QueueAdmin } from '../../lib/queue/index.js';
import { rabbitmq } from '../../lib/rabbitmq.js';
import { redis } from '../../lib/redis.js';
import { sql } from '../../lib/sql.js';
import { sqs } from '../../lib/sqs.js';
import type { Session } from '../../lib/testing/conformance/session.js';
import { LONG } from '../support/long.js';
import { hostileTexts } from './support/hostile-text.js';
import { testedStores } from './support/stores.js';
import { withSession } from './support/with-session.js';

const SEED = Number(process.env['KINETIS_TEST_SEED'] ?? 20_261_130);
const TOTAL = 10_000;
/** Ten thousand in all; each of them on each backend where there is time. */
const EACH = LONG ? TOTAL : Math.ceil(TOTAL / testedStores.length / 10) * 10;
const BATCH = 100;

@Job({ args: ['text', 'keyed'] })
class Hostile {
  constructor(
    readonly text: string,
    readonly keyed: Readonly<Record<string, string>>,
  ) {}

  @Handle()
  handle(): void {}
}

/** Texts of metadata are limited to 4 KB, unique keys to 255 characters and at least one. */
function hostileEntry(text: string, unique: boolean, queue: string) {
  return {
    job: new Hostile(text, { [text]: text }),
    queue,
    metadata: { [text]: text, plain: 'x' },
    ...(unique ? { uniqueKey: text } : {}),
  };
}

function asText({ args, metadata }: QueuedJob): string {
  return JSON.stringify([args['text'], args['keyed'], metadata]);
}

function expected(text: string): string {
  return JSON.stringify([text, { [text]: text }, { [text]: text, plain: 'x' }]);
}

describe.each(testedStores)('on $name', ({ name, open }) => {
  let session: Session;
  withSession(open, (opened) => (session = opened));

  test('hostile texts come back as they were, and what stands beside them is untouched', async () => {
    const { capabilities } = session.backend;
    const neighbour = session.anotherQueue();
    const innocent = await session.push('innocent', { queue: neighbour });
    const index = testedStores.findIndex((each) => each.name === name);
    const all = hostileTexts(EACH, SEED + index);
    for (let done = 0; done < EACH; done += BATCH) {
      const texts = all.slice(done, done + BATCH);
      const entries = texts.map((text) => hostileEntry(text, capabilities.unique, session.queue));
      const ids = await session.api.pushMany(entries);
      expect(ids).not.toContain(null);
      const jobs = (await session.gather(texts.length)) as QueuedJob[];
      expect(jobs.map(asText).toSorted()).toEqual(texts.map(expected).toSorted());
      // Every second one through each other transition too.
      const half = jobs.filter((_, at) => at % 2 === 0);
      const message = texts.join('');
      const failure = { cause: 'fatal', error: message, message, stack: message } as const;
      await session.backend.settle(
        half.map(({ handle }) => ({ operation: 'release', receipt: handle, changes: {}, delaySeconds: 0 })),
      );
      const again = (await session.gather(half.length)) as QueuedJob[];
      expect(again.map(asText).toSorted()).toEqual(half.map(asText).toSorted());
      const rest = jobs.filter((_, at) => at % 2 === 1);
      const [first] = again;
      expect(
        await session.backend.settle([
          ...again
            .slice(1)
            .map(({ handle }) => ({ operation: 'ack', receipt: handle, followUps: [] }) as const),
          ...rest.map(({ handle }) => ({ operation: 'ack', receipt: handle, followUps: [] }) as const),
          ...(first === undefined
            ? []
            : [{ operation: 'fail', receipt: first.handle, failure: cleaned(failure) } as const]),
        ]),
      ).toEqual(jobs.map(() => ({ status: 'applied' })));
      await expectFailure(session, message);
    }
    expect(await session.api.size(session.queue)).toBe(0);
    const last = await session.take(neighbour);
    expect([last.id, last.args['text']]).toEqual([innocent, 'innocent']);
    await session.connection.settler.ack(last);
  }, 240_000);

  test('names, priorities, delays and attempts that are none are refused before anything is sent', async () => {
    const neverCalled = vi.spyOn(session.backend, 'store');
    for (const text of hostileTexts(LONG ? 1_000 : 150, SEED)) {
      if (/^[A-Za-z0-9_-]{1,80}$/.test(text)) continue;
      const queue = session.queue;
      const pushes = [
        { queue: text },
        { queue, priority: text },
        { queue, delaySeconds: text },
        { queue, maxAttempts: text },
        { queue, metadata: text },
        { queue, metadata: { a: [text] } },
      ];
      for (const options of pushes) {
        await expect(session.api.push(new Hostile('', {}), options as never)).rejects.toThrow(
          InvalidQueueArgumentException,
        );
      }
      await expect(session.api.size(text)).rejects.toThrow(InvalidQueueArgumentException);
      await expect(session.api.counts(text)).rejects.toThrow(InvalidQueueArgumentException);
      await expect(session.connection.reserve([text], 1)).rejects.toThrow(InvalidQueueArgumentException);
    }
    expect(neverCalled).not.toHaveBeenCalled();
    neverCalled.mockRestore();
    expect(await session.api.size(session.queue)).toBe(0);
  });

  test('ids and cursors of failed jobs find nothing that is not there, and change nothing', async () => {
    if (session.backend.capabilities.failedJobs === 'no') return;
    const queue = session.anotherQueue();
    const id = await session.push('kept', { queue });
    const job = await session.take(queue);
    await session.connection.settler.fail(job, new Error('x'));
    const admin = new QueueAdmin(session.api);
    const { failed } = admin;
    const browses = session.backend.capabilities.browse;
    const browse = browses ? admin.browse : (undefined as never);
    // What a request may bring where text was expected.
    for (const strange of [
      { id: 1 },
      { $ne: '' },
      [id],
      [[id]],
      { toString: () => id },
      true,
      0,
      null,
      Buffer.from(id),
    ]) {
      const asked = [
        () => failed.find(strange as never, { queue }),
        () => failed.retry(strange as never, { queue }),
        () => failed.forget(strange as never, { queue }),
      ];
      for (const ask of asked) await expect(ask()).rejects.toThrow(InvalidQueueArgumentException);
      if (browses)
        await expect(browse.remove(queue, strange as never)).rejects.toThrow(InvalidQueueArgumentException);
    }
    const scans = session.backend.capabilities.failedJobs === 'scan';
    const texts = hostileTexts(LONG ? 1_000 : 110, SEED + 1);
    for (const text of [...texts, `${id}'`, `${id}' or '1'='1`, `${id}\0`, `%`, `${id.slice(0, 31)}_`]) {
      expect(await failed.find(text, { queue })).toBeNull();
      expect(await failed.forget(text, { queue })).toBe(false);
      expect(await failed.retry(text, { queue })).toBe('missing');
      if (browses) {
        expect(await browse.find(queue, text)).toBeNull();
        expect(await browse.remove(queue, text)).toBe(false);
        expect(await browse.promote(queue, text)).toBe(false);
      }
      if (!scans)
        await failed.list({ queue, cursor: text }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InvalidQueueArgumentException);
        });
      if (/^[\w-]{1,80}$/.test(text)) continue;
      await expect(failed.list({ queue: text })).rejects.toThrow(InvalidQueueArgumentException);
    }
    expect((await failed.list({ queue })).jobs.map((each) => each.id)).toEqual([id]);
    await failed.forget(id, { queue });
  }, 180_000);

  test('a class name, an id and a queue that somebody wrote into a body are data', async () => {
    const texts = hostileTexts(100, SEED + 2).filter((text) => text !== '');
    const body = (text: string, id: string) =>
      JSON.stringify({
        id,
        pushedAt: '2026-01-01T00:00:00.000Z',
        class: text,
        args: {},
        maxAttempts: null,
        metadata: {},
        chain: [],
      });
    const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
    const jobs: NewJob[] = texts.map((text, at) => {
      const id = at.toString(16).padStart(32, 'c');
      return { id, queue: session.queue, header, body: body(text, id), delaySeconds: 0 };
    });
    await session.backend.store(jobs);
    const came = (await session.gather(jobs.length)) as QueuedJob[];
    expect(came.map((job) => job.class).toSorted()).toEqual(texts.toSorted());
    await session.backend.settle(
      came.map(({ handle }) => ({ operation: 'ack', receipt: handle, followUps: [] })),
    );
  });
});

/** What the worker makes of an error before it is kept. */
function cleaned<F extends { error: string; message: string; stack: string }>(failure: F): F {
  const clean = (text: string): string => text.replaceAll('\0', '\\0').toWellFormed();
  return {
    ...failure,
    error: clean(failure.error).slice(0, 256),
    message: clean(failure.message),
    stack: clean(failure.stack),
  };
}

async function expectFailure(session: Session, message: string): Promise<void> {
  if (session.backend.capabilities.failedJobs === 'no') return;
  const { failed } = new QueueAdmin(session.api);
  const { jobs } = await failed.list({ queue: session.queue });
  expect(jobs).toHaveLength(1);
  const clean = cleaned({ error: message, message, stack: message });
  const kept = jobs[0]?.failure.message ?? '';
  // RabbitMQ cuts what its headers cannot hold.
  expect(clean.message.startsWith(kept.slice(0, 1_000))).toBe(true);
  expect(await failed.flush({ queue: session.queue })).toBe(1);
}

describe('options that become part of a name', () => {
  const hostile = hostileTexts(1_000, SEED + 3);
  const makers: readonly (readonly [string, RegExp, (text: string) => unknown])[] = [
    ['redis prefix', /^[\w:.-]{1,100}$/, (text) => redis({ prefix: text })],
    ['rabbitmq queuePrefix', /^[\w-]{0,80}$/, (text) => rabbitmq({ queuePrefix: text })],
    ['sqs queuePrefix', /^[\w-]{0,79}$/, (text) => sqs({ queuePrefix: text })],
    ['sqs deadLetterQueue', /^[\w-]{1,80}$/, (text) => sqs({ deadLetterQueue: text })],
    ['sqs accountId', /^\d{12}$/, (text) => sqs({ accountId: text })],
    ['sql tablePrefix', /^[A-Za-z_]\w*$/, (text) => sql({ tablePrefix: text })],
    ['sql schema', /^[A-Za-z_]\w*$/, (text) => sql({ schema: text })],
  ];
  test.each(makers)('%s: what is no name is refused', (_what, name, make) => {
    let refused = 0;
    for (const text of [...hostile, 'a\n', 'a b', 'é', 'a"b', 'a`b']) {
      if (name.test(text)) continue;
      expect(() => make(text)).toThrow();
      refused += 1;
    }
    expect(refused).toBeGreaterThan(900);
  });
});

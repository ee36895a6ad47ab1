import { describe, expect, it } from 'vitest';
import type { Failure } from '../../lib/contract/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { newJob, openBackend } from '../support/sql-files.js';
import {
  connectionTo,
  newDatabase,
  openServerOrm,
  type ServerDriver,
  testedDrivers,
} from '../support/sql-servers.js';

interface Kind {
  readonly what: string;
  readonly how: string;
  /** The database holds ASCII and little more. */
  readonly asciiOnly: boolean;
}

const kinds: { readonly [backend in ServerDriver['backend']]: readonly Kind[] } = {
  postgres: [
    { what: 'LATIN1', how: `encoding 'LATIN1' locale 'C' template template0`, asciiOnly: true },
    {
      what: 'a German collation',
      how: `encoding 'UTF8' locale_provider icu icu_locale 'de-DE' template template0`,
      asciiOnly: false,
    },
  ],
  mariadb: [
    { what: 'latin1', how: 'character set latin1', asciiOnly: false },
    {
      what: 'a German collation',
      how: 'character set utf8mb4 collate utf8mb4_german2_ci',
      asciiOnly: false,
    },
  ],
};

const databases = testedDrivers().flatMap((driver) =>
  kinds[driver.backend].map((kind) => ({ driver, name: driver.name, ...kind })),
);

const texts: readonly (readonly [string, string])[] = [
  ['emoji', '["😀 👩‍👩‍👧"]'],
  ['umlauts and ß', '["Straße, naïve, é"]'],
  ['200 KB of ASCII', `["${'x'.repeat(200 * 1_024)}"]`],
  ['200 KB of emoji', `["${'😀'.repeat(50 * 1_024)}"]`],
  ['a NUL', '["a\0b"]'],
  ['a lone surrogate, escaped as JSON does', JSON.stringify(['\ud83d'])],
  ['quotes, backslashes and placeholders', String.raw`["'\\\" $1 ? :queue %s"]`],
  ['what looks like a marked body', 'base64:AAAA'],
  ['nothing', ''],
];

/** A database of that kind with the queue's tables, a backend on it, and an application's MikroORM. */
async function prepared({ driver, how }: Kind & { readonly driver: ServerDriver }) {
  const database = await newDatabase(driver, how);
  const connection = connectionTo(driver, database);
  await migrateSqlQueue(connection);
  const orm = await openServerOrm(driver, database);
  return { orm, backend: await openBackend({ connection }) };
}

describe.each(databases)('$name, a database in $what', (database) => {
  const { asciiOnly } = database;

  it('gives bodies back as they were pushed, within a transaction too', async () => {
    const { backend, orm } = await prepared(database);
    for (const [what, body] of texts) {
      expect(await backend.store([newJob({ body })])).toEqual([{ status: 'applied' }]);
      const [item] = await backend.reserve(['mail'], 1);
      expect({ what, isSame: item?.body === body }).toEqual({ what, isSame: true });
      await backend.settle([{ operation: 'ack', receipt: item?.receipt, followUps: [] }]);
    }
    const bodies = texts.map(([, body]) => body);
    await orm.em.transactional(async (transaction) => {
      await backend.store(
        bodies.map((body) => newJob({ body })),
        { transaction },
      );
    });
    const items = await backend.reserve(['mail'], 20);
    expect(items.map(({ body }) => body)).toEqual(bodies);
  });

  it('keeps bytes that are no text, and what another program wrote', async () => {
    const { backend, orm } = await prepared(database);
    const bytes = Uint8Array.of(0, 0xff, 0xfe, 0x80);
    await backend.store([newJob(), newJob()]);
    const bodies = [`base64:${Buffer.from(bytes).toString('base64')}`, '["Straße"]'];
    for (const [index, body] of bodies.entries()) {
      await orm.em
        .getConnection()
        .execute('update kinetis_queue_jobs set body = ? where seq = ?', [body, index + 1], 'run');
    }
    const [first, second] = await backend.reserve(['mail'], 2);
    expect(Uint8Array.from(Buffer.from(first?.body as Uint8Array))).toEqual(bytes);
    expect(second?.body).toBe('["Straße"]');
  });

  it(`stores text ${asciiOnly ? 'that is ASCII as it is, other text as base64' : 'as it is'}`, async () => {
    const { backend, orm } = await prepared(database);
    await backend.store([newJob({ body: '["a"]' }), newJob({ body: '["é"]' })]);
    const rows: { body: string }[] = await orm.em
      .getConnection()
      .execute('select body from kinetis_queue_jobs order by seq');
    const encoded = `base64:${Buffer.from('["é"]').toString('base64')}`;
    expect(rows.map(({ body }) => body)).toEqual(['["a"]', asciiOnly ? encoded : '["é"]']);
  });

  it('takes queue names that differ in case for different ones, and orders them by their bytes', async () => {
    const { backend } = await prepared(database);
    const names = ['mail', 'Mail', 'MAIL', 'a_b', 'a-b', 'ab', '_', '-', 'Zeta', 'zeta', '0'];
    for (const queue of names) await backend.store([newJob({ queue })]);
    const ordered = ['-', '0', 'MAIL', 'Mail', 'Zeta', '_', 'a-b', 'a_b', 'ab', 'mail', 'zeta'];
    expect(await backend.queues()).toEqual(ordered);
    expect(await backend.count('Mail')).toMatchObject({ ready: 1 });
    expect((await backend.reserve(['MAIL', 'mail'], 9)).map(({ queue }) => queue)).toEqual(['MAIL', 'mail']);
    expect(await backend.clear('Mail')).toBe(1);
    await backend.pauseQueue('Zeta');
    expect((await backend.reserve(['Zeta', 'zeta'], 9)).map(({ queue }) => queue)).toEqual(['zeta']);
  });

  it('keeps unique keys of a queue apart from those of one that differs in case', async () => {
    const { backend } = await prepared(database);
    const uniqueKey = 'a'.repeat(64);
    expect(
      await backend.store([
        newJob({ uniqueKey }),
        newJob({ queue: 'Mail', uniqueKey }),
        newJob({ uniqueKey }),
      ]),
    ).toEqual([{ status: 'applied' }, { status: 'applied' }, { status: 'duplicate' }]);
  });

  it('keeps what an error said', async () => {
    const { backend } = await prepared(database);
    const job = newJob({ body: '["😀"]' });
    const failure: Failure = {
      cause: 'fatal',
      error: 'Fehler',
      message: 'naïve 😀\0 "it\'s" \\ \n',
      stack: 'at 😀',
    };
    await backend.store([job]);
    const [item] = await backend.reserve(['mail'], 1);
    await backend.settle([{ operation: 'fail', receipt: item?.receipt, failure }]);
    const found = await backend.findFailed(job.id);
    expect(found?.body).toBe('["😀"]');
    expect(found?.failure).toEqual({
      cause: 'fatal',
      error: 'Fehler',
      message: asciiOnly ? 'na\\u{ef}ve \\u{1f600}\\u{fffd} "it\'s" \\ \n' : 'naïve 😀\uFFFD "it\'s" \\ \n',
      stack: asciiOnly ? 'at \\u{1f600}' : 'at 😀',
    });
    expect(await backend.retryFailed(job.id)).toBe('retried');
    expect((await backend.reserve(['mail'], 1))[0]?.body).toBe('["😀"]');
  });
});

const mysqlLike = testedDrivers().filter(({ backend }) => backend === 'mariadb');

describe.each(mysqlLike)('$name, an application whose connections are in latin1', (driver) => {
  it('keeps emoji that the queue pushes over connections of its own', async () => {
    const name = await newDatabase(driver, 'character set latin1');
    const orm = await openServerOrm(driver, name, { driverOptions: { connection: { charset: 'latin1' } } });
    const [row]: { charset: string }[] = await orm.em
      .getConnection()
      .execute('select @@character_set_client as charset');
    await migrateSqlQueue(orm);
    const backend = await openBackend({ orm });
    const body = '["😀 é"]';
    await backend.store([newJob({ body })]);
    const items = await backend.reserve(['mail'], 2);
    expect({ row, bodies: items.map((item) => item.body) }).toEqual({
      row: { charset: 'latin1' },
      bodies: [body],
    });
  });
});

import { describe, expect, test } from 'vitest';
import { InvalidQueueArgumentException } from '../../lib/contract/index.js';
import { sql } from '../../lib/sql.js';
import { Note } from '../../lib/testing/conformance/jobs.js';
import { bareContext } from '../support/bare-context.js';
import { LONG } from '../support/long.js';
import { newQueueDatabase, queueOver } from '../support/server-queue.js';
import { administer, openServerOrm, type ServerDriver, testedDrivers } from '../support/sql-servers.js';
import { hostileTexts } from './support/hostile-text.js';
import { everythingIn } from './support/said.js';

/** What an application, or its server, may have set for the sessions in which it pushes. */
const SETTINGS: { readonly [backend in ServerDriver['backend']]: readonly string[] } = {
  postgres: [
    'set standard_conforming_strings = off',
    'set standard_conforming_strings = off; set backslash_quote = on; set escape_string_warning = off',
    "set client_encoding = 'UTF8'; set standard_conforming_strings = off",
    'set quote_all_identifiers = on; set search_path = pg_catalog, public',
  ],
  mariadb: [
    "set session sql_mode = 'ANSI_QUOTES'",
    "set session sql_mode = 'ANSI,PIPES_AS_CONCAT,TRADITIONAL'",
    "set session sql_mode = ''",
  ],
};

const cases = testedDrivers().flatMap((driver) =>
  SETTINGS[driver.backend].map((setting) => ({ driver, name: driver.name, setting })),
);

const TEXTS = [
  // Ends the string where a backslash escapes nothing, and is data where it does.
  `\\', 1, 1, 1, 1); delete from kinetis_queue_jobs; -- `,
  `\\' or 1 = 1 -- `,
  `\\\\'); drop table kinetis_queue_failed_jobs; -- `,
  `ends with a backslash \\`,
  ...hostileTexts(LONG ? 1_000 : 90, 20_261_130),
];

describe.each(cases)(
  '$name, in a transaction of an application that did: $setting',
  ({ driver, setting }) => {
    test('what is pushed is data: it comes back as it was, and what was there stays', async () => {
      const connection = await newQueueDatabase(driver);
      const orm = await openServerOrm(driver, connection.database ?? '');
      const backend = await sql({ orm })(bareContext());
      const queue = queueOver(backend);
      try {
        await queue.push(new Note('was there'), { queue: 'innocent' });
        await orm.em.transactional(async (transaction) => {
          for (const statement of setting.split('; ')) {
            await transaction
              .getConnection()
              .execute(statement, [], 'run', transaction.getTransactionContext());
          }
          for (const text of TEXTS) {
            await queue.push(new Note(text), {
              queue: 'hostile',
              transaction,
              metadata: { [text]: text },
              uniqueKey: text.slice(0, 255),
            });
          }
        });
        expect(await queue.counts('innocent')).toMatchObject({ ready: 1 });
        const items = await backend.reserve(['hostile'], TEXTS.length);
        const bodies = items.map(
          ({ body }) => JSON.parse(String(body)) as { args: { text: string }; metadata: object },
        );
        expect(bodies.map(({ args }) => args.text)).toEqual(TEXTS);
        expect(bodies.map(({ metadata }) => JSON.stringify(metadata))).toEqual(
          TEXTS.map((text) => JSON.stringify({ [text]: text })),
        );
      } finally {
        await backend.close();
      }
    });
  },
);

const UNSAFE = ['NO_BACKSLASH_ESCAPES', 'ANSI,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'];
const mysqls = testedDrivers()
  .filter(({ backend }) => backend === 'mariadb')
  .flatMap((driver) => UNSAFE.map((modes) => ({ driver, name: driver.name, modes })));

describe.each(mysqls)('$name, in a transaction with sql_mode $modes', ({ driver, modes }) => {
  test('a push is refused before a value is sent, for it could become a statement', async () => {
    const connection = await newQueueDatabase(driver);
    const orm = await openServerOrm(driver, connection.database ?? '');
    const backend = await sql({ orm })(bareContext());
    const queue = queueOver(backend);
    try {
      await queue.push(new Note('was there'), { queue: 'innocent' });
      await orm.em.transactional(async (transaction) => {
        const context = transaction.getTransactionContext();
        await transaction.getConnection().execute(`set session sql_mode = '${modes}'`, [], 'run', context);
        for (const text of TEXTS.slice(0, 4)) {
          const pushing = queue.push(new Note(text), { queue: 'hostile', transaction });
          await expect(pushing).rejects.toThrow(InvalidQueueArgumentException);
          await expect(pushing).rejects.toThrow(/without the sql_mode NO_BACKSLASH_ESCAPES/);
        }
      });
      expect(await queue.size('innocent')).toBe(1);
      expect(await queue.size('hostile')).toBe(0);
      // The queue's own sessions have a mode of their own, whatever the server's is.
      for (const text of TEXTS.slice(0, 4)) await queue.push(new Note(text), { queue: 'hostile' });
      const items = await backend.reserve(['hostile'], 4);
      expect(
        items.map(({ body }) => (JSON.parse(String(body)) as { args: { text: string } }).args.text),
      ).toEqual(TEXTS.slice(0, 4));
    } finally {
      await backend.close();
    }
  });
});

describe.each(testedDrivers())('$name: an error of the database', (driver) => {
  test('is told without the values of its statement', async () => {
    const connection = await newQueueDatabase(driver);
    const backend = await sql({ connection })(bareContext());
    try {
      const check =
        driver.backend === 'postgres' ? "position('planted' in body) = 0" : "locate('planted', body) = 0";
      await administer(
        driver,
        `alter table kinetis_queue_jobs add constraint planted_check check (${check})`,
        connection.database,
      );
      const failure: unknown = await queueOver(backend)
        .push(new Note('planted-payload-8001'), { metadata: { a: 'planted-metadata-8002' } })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(everythingIn(failure)).toContain('planted_check');
      expect(everythingIn(failure)).not.toMatch(/planted-(payload|metadata)/);
    } finally {
      await backend.close();
    }
  });
});

import { Migration, Migrator } from '@mikro-orm/migrations';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SchemaOutdatedException } from '../../lib/contract/index.js';
import { kinetisQueueMigrations, kinetisQueueSql, migrateSqlQueue } from '../../lib/sql.js';
import { newJob, openBackend, openOrm, temporaryFile } from '../support/sql-files.js';

type Orm = Awaited<ReturnType<typeof openOrm>>;

async function schemaOf(orm: Orm): Promise<string[]> {
  const rows: { sql: string }[] = await orm.em
    .getConnection()
    .execute("select sql from sqlite_schema where name like '%queue%' and sql is not null order by name");
  return rows.map(({ sql }) => sql);
}

class CreateUsers extends Migration {
  override up(): void {
    this.addSql('create table users (id integer primary key);');
  }
}

describe('migrations of the sql backend', () => {
  it('make this schema', async () => {
    const orm = await openOrm(await temporaryFile());
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect(await schemaOf(orm)).toMatchSnapshot();
  });

  it('run beside those of the application in MikroORM, before or after migrateSqlQueue()', async () => {
    const plain = await openOrm(await temporaryFile());
    await migrateSqlQueue(plain);
    const orm = await openOrm(await temporaryFile(), {
      extensions: [Migrator],
      migrations: {
        silent: true,
        migrationsList: [
          { name: 'CreateUsers', class: CreateUsers },
          ...kinetisQueueMigrations('sqlite', Migration),
        ],
      },
    });
    await orm.getMigrator().up();
    expect(await schemaOf(orm)).toEqual(await schemaOf(plain));
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect(await orm.getMigrator().getPendingMigrations()).toEqual([]);
    expect(await schemaOf(orm)).toEqual(await schemaOf(plain));
  });

  it('are shipped as the files in migrations/', async () => {
    const orm = await openOrm(await temporaryFile());
    const folder = new URL('../../migrations/sqlite/', import.meta.url);
    for (const file of readdirSync(folder)) {
      await orm.em.getConnection().loadFile(new URL(file, folder).pathname);
    }
    await (await openBackend({ orm })).connect();
  });

  it('may run again and change nothing', async () => {
    const orm = await openOrm(await temporaryFile());
    await migrateSqlQueue(orm);
    const backend = await openBackend({ orm });
    await backend.store([newJob()]);
    for (const { statements } of kinetisQueueSql('sqlite')) {
      for (const statement of statements) await orm.em.getConnection().execute(statement, [], 'run');
    }
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect((await backend.count('mail')).ready).toBe(1);
  });

  it('let two prefixes share a database', async () => {
    const orm = await openOrm(await temporaryFile());
    await migrateSqlQueue(orm);
    await migrateSqlQueue(orm, { tablePrefix: 'billing_' });
    const standard = await openBackend({ orm });
    const billing = await openBackend({ orm, tablePrefix: 'billing_' });
    await billing.store([newJob()]);
    expect(await standard.queues()).toEqual([]);
    expect(await billing.queues()).toEqual(['mail']);
  });

  it('are asked for by name when the tables are missing or older', async () => {
    const orm = await openOrm(await temporaryFile());
    const backend = await openBackend({ orm });
    await expect(backend.connect()).rejects.toBeInstanceOf(SchemaOutdatedException);
    await expect(backend.connect()).rejects.toThrow(/migrateSqlQueue\(orm\)/);
    await migrateSqlQueue(orm);
    await backend.connect();
    await orm.em.getConnection().execute('delete from kinetis_queue_schema');
    await expect(backend.connect()).rejects.toThrow(/expected version 1 or later, came 0/);
  });

  it('are embedded anew only when a source has changed', () => {
    const script = new URL('../../scripts/embed-sources.mjs', import.meta.url).pathname;
    const generated = new URL('../../lib/backends/sql/migrations.generated.ts', import.meta.url);
    execFileSync(process.execPath, [script]);
    const before = { text: readFileSync(generated, 'utf8'), mtime: statSync(generated).mtimeMs };
    execFileSync(process.execPath, [script]);
    expect({ text: readFileSync(generated, 'utf8'), mtime: statSync(generated).mtimeMs }).toEqual(before);
  });
});

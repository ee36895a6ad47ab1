import { Migration, Migrator } from '@mikro-orm/migrations';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { QueueConfigurationException, SchemaOutdatedException } from '../../lib/contract/index.js';
import { kinetisQueueMigrations, kinetisQueueSql, migrateSqlQueue } from '../../lib/sql.js';
import { startSqlChild } from '../support/sql-child-process.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { schemaLines } from '../support/sql-schema.js';
import {
  connectionTo,
  driverNamed,
  newDatabase,
  openServerOrm,
  type ServerAddress,
  type ServerOrm,
} from '../support/sql-servers.js';
import { isTested } from '../support/servers.js';
import { WorkerProcess } from '../support/worker-process.js';

/** Servers by what differs: the folder of their migrations, their shell, and what `schema` names. */
const servers = [
  {
    backend: 'postgres',
    driver: driverNamed('postgresql'),
    dialect: 'postgresql',
    shell: ({ host, port, user, password }: ServerAddress, database: string) => ({
      command: ['psql', '-1', '-q', '-h', host, '-p', String(port), '-U', user, '-d', database],
      env: { PGPASSWORD: password },
    }),
    async newSchema(orm: ServerOrm) {
      await orm.em.getConnection().execute('create schema jobs_of_billing');
      return 'jobs_of_billing';
    },
  },
  {
    backend: 'mariadb',
    driver: driverNamed('mariadb'),
    dialect: 'mysql',
    shell: ({ host, port, user, password }: ServerAddress, database: string) => ({
      command: ['mysql', '-h', host, '-P', String(port), '-u', user, database],
      env: { MYSQL_PWD: password },
    }),
    newSchema: () => newDatabase(driverNamed('mariadb')),
  },
] as const;

class CreateUsers extends Migration {
  override up(): void {
    this.addSql('create table users (id integer primary key);');
  }
}

const tested = servers.filter(({ backend }) => isTested(backend));

describe.each(tested)('migrations of the sql backend on $driver.name', (server) => {
  const { driver, dialect } = server;
  const migratedOrm = async (): Promise<ServerOrm> => {
    const orm = await openServerOrm(driver, await newDatabase(driver));
    await migrateSqlQueue(orm);
    return orm;
  };

  it('make this schema', async () => {
    const orm = await openServerOrm(driver, await newDatabase(driver));
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect(await schemaLines(orm, dialect)).toMatchSnapshot();
  });

  it('may run in several processes at once', { timeout: 90_000 }, async () => {
    const database = await newDatabase(driver);
    const children = [1, 2, 3].map(() => startSqlChild(connectionTo(driver, database)));
    // Each answers this once it runs, and migrates only then.
    await Promise.all(children.map((child) => child.ask('ready')));
    const versions = await Promise.all(children.map((child) => child.ask('migrate')));
    expect(versions).toEqual([1, 1, 1]);
    const orm = await openServerOrm(driver, database);
    expect(await schemaLines(orm, dialect)).toEqual(await schemaLines(await migratedOrm(), dialect));
  });

  it('run beside those of the application in MikroORM, before or after migrateSqlQueue()', async () => {
    const plain = await migratedOrm();
    const orm = await openServerOrm(driver, await newDatabase(driver), {
      extensions: [Migrator],
      migrations: {
        silent: true,
        // Otherwise a file is left in migrations/.
        snapshot: false,
        migrationsList: [
          { name: 'CreateUsers', class: CreateUsers },
          ...kinetisQueueMigrations(dialect, Migration),
        ],
      },
    });
    await orm.getMigrator().up();
    expect(await schemaLines(orm, dialect)).toEqual(await schemaLines(plain, dialect));
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect(await orm.getMigrator().getPendingMigrations()).toEqual([]);
    expect(await schemaLines(orm, dialect)).toEqual(await schemaLines(plain, dialect));
  });

  it('are shipped as files that the shell of the database takes, once and again', async () => {
    const database = await newDatabase(driver);
    const folder = fileURLToPath(new URL(`../../migrations/${dialect}/`, import.meta.url));
    const shell = server.shell(driver.address, database);
    const [command, ...args] = shell.command;
    const env = { ...process.env, ...shell.env };
    for (const file of [...readdirSync(folder), ...readdirSync(folder)]) {
      execFileSync(command as string, args, {
        input: readFileSync(`${folder}${file}`),
        stdio: 'pipe',
        env,
      });
    }
    const orm = await openServerOrm(driver, database);
    expect(await schemaLines(orm, dialect)).toEqual(await schemaLines(await migratedOrm(), dialect));
    await (await openBackend({ connection: connectionTo(driver, database) })).connect();
  });

  it('may run again and change nothing', async () => {
    const orm = await migratedOrm();
    const before = await schemaLines(orm, dialect);
    const backend = await openBackend({ orm });
    await backend.store([newJob()]);
    for (const { statements } of kinetisQueueSql(dialect)) {
      for (const statement of statements) await orm.em.getConnection().execute(statement);
    }
    expect(await migrateSqlQueue(orm)).toBe(1);
    expect((await backend.count('mail')).ready).toBe(1);
    expect(await schemaLines(orm, dialect)).toEqual(before);
  });

  it('let prefixes and a schema stand side by side in one database', async () => {
    const orm = await openServerOrm(driver, await newDatabase(driver));
    const schema = await server.newSchema(orm);
    const places = [{}, { tablePrefix: 'billing_' }, { schema }, { tablePrefix: 'billing_', schema }];
    const backends = [];
    for (const place of places) {
      await migrateSqlQueue(orm, place);
      const backend = await openBackend({ orm, ...place });
      await backend.connect();
      backends.push(backend);
    }
    for (const [index, backend] of backends.entries()) {
      await backend.store([newJob({ queue: `of${index}` }), newJob({ queue: `of${index}` })]);
    }
    for (const [index, backend] of backends.entries()) {
      expect(await backend.queues()).toEqual([`of${index}`]);
      const [first, second] = await backend.reserve(
        backends.map((_, other) => `of${other}`),
        10,
      );
      const failure = { cause: 'error', error: 'Error', message: '', stack: null } as const;
      const outcomes = await backend.settle([
        { operation: 'ack', receipt: first?.receipt as never, followUps: [] },
        { operation: 'fail', receipt: second?.receipt as never, failure } as never,
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
      expect(await backend.retryAllFailed()).toMatchObject({ retried: 1 });
      expect(await backend.count(`of${index}`)).toMatchObject({ ready: 1, failed: 0 });
    }
  });

  it('are asked for by name when the tables are missing or older', async () => {
    const database = await newDatabase(driver);
    const orm = await openServerOrm(driver, database);
    const backend = await openBackend({ connection: connectionTo(driver, database) });
    await expect(backend.connect()).rejects.toBeInstanceOf(SchemaOutdatedException);
    await expect(backend.connect()).rejects.toThrow(/migrateSqlQueue\(orm\)/);
    await migrateSqlQueue(orm);
    await backend.connect();
    await orm.em.getConnection().execute('delete from kinetis_queue_schema');
    await expect(backend.connect()).rejects.toThrow(/expected version 1 or later, came 0/);
  });

  it('stop a worker that misses them with exit code 64 and the command to run', async () => {
    const database = await newDatabase(driver);
    const worker = new WorkerProcess('work-worker', {
      env: {
        DATABASE_CONNECTION: JSON.stringify(connectionTo(driver, database)),
        LEASE_SECONDS: '5',
        LEDGER_FILE: '/dev/null',
      },
    });
    onTestFinished(() => worker.kill());
    expect(await worker.exit()).toBe(64);
    expect(worker.output).toContain('SchemaOutdatedException');
    expect(worker.output).toContain('migrateSqlQueue(');
  });

  it('name the schema that they are to be made in where it is not there', async () => {
    const database = await newDatabase(driver);
    const made = migrateSqlQueue(connectionTo(driver, database), { schema: 'kinetis_test_missing' });
    await expect(made).rejects.toBeInstanceOf(QueueConfigurationException);
    await expect(made).rejects.toThrow(/"kinetis_test_missing" to be there, came none.*create it first/);
  });
});

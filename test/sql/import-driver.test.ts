import { afterEach, describe, expect, it, vi } from 'vitest';
import { importDriver } from '../../lib/backends/sql/import-driver.js';
import { QueueUnavailableException } from '../../lib/contract/index.js';

/** MikroORM 7 needs a later Node than the tests run on; `npm run test:node24` has it as it is. */
function pretendVersion(version: string): void {
  vi.doMock('@mikro-orm/core', () => ({ Utils: { getORMVersion: () => version } }));
}

class NodeSqliteDialect {
  constructor(readonly file: string) {}
}

afterEach(() => {
  for (const name of ['core', 'sql', 'better-sqlite', 'postgresql']) vi.doUnmock(`@mikro-orm/${name}`);
});

describe('the driver of a connection of its own', () => {
  it('is node:sqlite for a file with MikroORM 7', async () => {
    pretendVersion('7.2.1');
    const init = vi.fn(async (options: object) => options);
    vi.doMock('@mikro-orm/sql', () => ({ MikroORM: { init }, SqliteDriver: 'driver', NodeSqliteDialect }));
    const open = await importDriver('sqlite');
    await open({ dbName: 'queue.sqlite' });
    expect(open.major).toBe(7);
    expect(init).toHaveBeenCalledWith({
      driver: 'driver',
      dbName: 'queue.sqlite',
      driverOptions: new NodeSqliteDialect('queue.sqlite'),
    });
  });

  it.each([
    ['6.6.16', 'sqlite', 'better-sqlite'],
    ['6.6.16', 'postgresql', 'postgresql'],
    ['7.2.1', 'sqlite', 'sql'],
    ['7.2.1', 'postgresql', 'postgresql'],
  ] as const)('is asked for by name where it is missing: MikroORM %s, %s', async (version, driver, name) => {
    pretendVersion(version);
    vi.doMock(`@mikro-orm/${name}`, () => {
      throw new Error('not installed');
    });
    const missing = importDriver(driver);
    await expect(missing).rejects.toBeInstanceOf(QueueUnavailableException);
    await expect(missing).rejects.toThrow(
      `npm install @mikro-orm/core@${version} @mikro-orm/${name}@${version}`,
    );
  });
});

import type { BackendFactory } from '@kinetis/nestjs-queue';
import { redis, type RedisOptions } from '@kinetis/nestjs-queue/redis';
import { sql, type SqlConnectionOptions } from '@kinetis/nestjs-queue/sql';
import { Ledger } from './ledger.js';

/** How a test names a Redis to its processes. */
export interface RedisConnection extends RedisOptions {
  readonly driver: 'redis';
}

/** A variable that a test has to set for its processes. */
export function fixtureVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The fixture needs the variable ${name}.`);
  return value;
}

/**
 * The store that the test and its processes share: DATABASE_CONNECTION as JSON, which with `driver: 'redis'` holds options
 * of redis(), or the SQLite file DATABASE_FILE.
 */
export function fixtureConnection(): BackendFactory {
  const given = process.env['DATABASE_CONNECTION'];
  const connection =
    given === undefined
      ? ({ driver: 'sqlite', file: fixtureVariable('DATABASE_FILE') } as const)
      : (JSON.parse(given) as SqlConnectionOptions | RedisConnection);
  const leaseSeconds = Number(fixtureVariable('LEASE_SECONDS'));
  if (connection.driver !== 'redis') return sql({ connection, leaseSeconds });
  const { driver: _, ...options } = connection;
  return redis({ ...options, leaseSeconds });
}

export const fixtureLedger = {
  provide: Ledger,
  useFactory: () => new Ledger(fixtureVariable('LEDGER_FILE')),
};

import type { BackendFactory } from '@kinetis/nestjs-queue';
import { redis, type RedisOptions } from '@kinetis/nestjs-queue/redis';
import { sqs, type SqsOptions } from '@kinetis/nestjs-queue/sqs';
import { sql, type SqlConnectionOptions } from '@kinetis/nestjs-queue/sql';
import { Ledger } from './ledger.js';

/** How a test names a Redis to its processes. */
export interface RedisConnection extends RedisOptions {
  readonly driver: 'redis';
}

/** How a test names an SQS to its processes. */
export interface SqsConnection extends SqsOptions {
  readonly driver: 'sqs';
}

/** A variable that a test has to set for its processes. */
export function fixtureVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The fixture needs the variable ${name}.`);
  return value;
}

/**
 * The store that the test and its processes share: DATABASE_CONNECTION as JSON, which with `driver: 'redis'` holds options
 * of redis() and with `driver: 'sqs'` of sqs(), or the SQLite file DATABASE_FILE.
 */
export function fixtureConnection(): BackendFactory {
  const given = process.env['DATABASE_CONNECTION'];
  const connection =
    given === undefined
      ? ({ driver: 'sqlite', file: fixtureVariable('DATABASE_FILE') } as const)
      : (JSON.parse(given) as SqlConnectionOptions | RedisConnection | SqsConnection);
  const leaseSeconds = Number(fixtureVariable('LEASE_SECONDS'));
  if (connection.driver === 'redis') {
    const { driver: _, ...options } = connection;
    return redis({ ...options, leaseSeconds });
  }
  if (connection.driver === 'sqs') {
    const { driver: _, ...options } = connection;
    return sqs({ ...options, leaseSeconds });
  }
  return sql({ connection, leaseSeconds });
}

export const fixtureLedger = {
  provide: Ledger,
  useFactory: () => new Ledger(fixtureVariable('LEDGER_FILE')),
};

import type { BackendFactory } from '@kinetis/nestjs-queue';
import { sql, type SqlConnectionOptions } from '@kinetis/nestjs-queue/sql';
import { Ledger } from './ledger.js';

/** A variable that a test has to set for its processes. */
export function fixtureVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The fixture needs the variable ${name}.`);
  return value;
}

/** The database that the test and its processes share: DATABASE_CONNECTION as JSON, or the SQLite file DATABASE_FILE. */
export function fixtureConnection(): BackendFactory {
  const given = process.env['DATABASE_CONNECTION'];
  const connection =
    given === undefined
      ? ({ driver: 'sqlite', file: fixtureVariable('DATABASE_FILE') } as const)
      : (JSON.parse(given) as SqlConnectionOptions);
  return sql({ connection, leaseSeconds: Number(fixtureVariable('LEASE_SECONDS')) });
}

export const fixtureLedger = {
  provide: Ledger,
  useFactory: () => new Ledger(fixtureVariable('LEDGER_FILE')),
};

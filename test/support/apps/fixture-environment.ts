import type { BackendFactory } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';
import { Ledger } from './ledger.js';

/** A variable that a test has to set for its processes. */
export function fixtureVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The fixture needs the variable ${name}.`);
  return value;
}

/** The SQLite file that the test and its processes share. */
export function fixtureConnection(): BackendFactory {
  return sql({
    connection: { driver: 'sqlite', file: fixtureVariable('DATABASE_FILE') },
    leaseSeconds: Number(fixtureVariable('LEASE_SECONDS')),
  });
}

export const fixtureLedger = {
  provide: Ledger,
  useFactory: () => new Ledger(fixtureVariable('LEDGER_FILE')),
};

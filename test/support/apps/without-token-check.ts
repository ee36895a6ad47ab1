import { createRequire } from 'node:module';

interface SqliteDatabase {
  prepare(statement: string): unknown;
}

/**
 * Loaded before a worker, this takes the token check out of its SQLite statements: a settlement then names a job and no
 * longer one delivery of it.
 */
const require = createRequire(import.meta.url);
const { prototype } = require('better-sqlite3') as { prototype: SqliteDatabase };
const { prepare } = prototype;
const CHECK = 'where seq = ? and token = ?';

prototype.prepare = function prepareWithoutTokenCheck(this: SqliteDatabase, statement: string): unknown {
  return prepare.call(this, statement.replace(CHECK, 'where seq = ? and (token = ? or true)'));
};

import * as v from 'valibot';
import { option, parseBoolean, parseNumber } from './option.js';

/** Kinds of databases that the environment can name. */
export const DATABASE_DRIVERS = ['sqlite', 'postgresql', 'mariadb', 'mysql'] as const;

const text = v.pipe(v.string(), v.minLength(1));

/**
 * What the environment says of a database that the queue opens itself, for `sql`. A connection "ledger" reads the
 * variables with LEDGER in them.
 */
export const DATABASE_OPTIONS = {
  driver: option<(typeof DATABASE_DRIVERS)[number]>({
    variable: 'DB_DRIVER',
    variableOfConnection: 'DB_<NAME>_DRIVER',
    takes: 'driver',
    summary: 'The kind of database. Its package of MikroORM has to be installed.',
    expected: `one of ${DATABASE_DRIVERS.join(', ')}`,
    otherwise: 'the server that DB_URL begins with; without an address, sqlite',
    schema: v.picklist(DATABASE_DRIVERS),
  }),
  url: option({
    variable: 'DB_URL',
    variableOfConnection: 'DB_<NAME>_URL',
    takes: 'address',
    summary:
      'A server and a database on it. Each variable below goes before the part of the address that it names.',
    expected: 'an address such as postgresql://user:password@host:5432/database',
    otherwise: 'none',
    secret: true,
    schema: v.pipe(
      v.string(),
      v.check((address) => URL.canParse(address)),
    ),
  }),
  database: option({
    variable: 'DB_DATABASE',
    variableOfConnection: 'DB_<NAME>_DATABASE',
    takes: 'path or name',
    summary:
      "On SQLite the file, on a server the name of the database. Leave it out where the application's MikroORM is to be " +
      'used, and always where that one has the same file open.',
    expected: 'the path of a file on SQLite, else the name of a database',
    otherwise: "the application's MikroORM: its only one, or the context with the connection's name",
    schema: text,
  }),
  host: option({
    variable: 'DB_HOST',
    variableOfConnection: 'DB_<NAME>_HOST',
    takes: 'host',
    summary: 'The server. Not for SQLite, as all that follow.',
    expected: 'the name of a host',
    otherwise: 'this machine',
    schema: text,
  }),
  port: option({
    variable: 'DB_PORT',
    variableOfConnection: 'DB_<NAME>_PORT',
    takes: 'port',
    summary: 'The port of the server.',
    expected: 'a port from 1 to 65535',
    otherwise: 'the usual one',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  }),
  user: option({
    variable: 'DB_USER',
    variableOfConnection: 'DB_<NAME>_USER',
    takes: 'name',
    summary: 'The user of the database; docs/sql.md lists what it has to be granted.',
    expected: 'the name of a user',
    otherwise: "the driver's own",
    schema: text,
  }),
  password: option({
    variable: 'DB_PASSWORD',
    variableOfConnection: 'DB_<NAME>_PASSWORD',
    takes: 'password',
    summary: "The user's password. Shown nowhere.",
    expected: 'a password',
    otherwise: 'none',
    secret: true,
    schema: text,
  }),
  ssl: option({
    variable: 'DB_SSL',
    variableOfConnection: 'DB_<NAME>_SSL',
    takes: 'true or false',
    summary: "An encrypted connection, the server's certificate checked against those that Node.js trusts.",
    expected: 'true or false',
    fallback: false,
    parse: parseBoolean,
    schema: v.boolean(),
  }),
  schema: option({
    variable: 'DB_SCHEMA',
    variableOfConnection: 'DB_<NAME>_SCHEMA',
    takes: 'name',
    summary: "The schema (PostgreSQL) or database (MariaDB, MySQL) of the queue's tables.",
    expected: 'a letter or underscore and up to 62 more letters, digits and underscores',
    otherwise: "the connection's own",
    schema: v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)),
  }),
} as const;

export type DatabaseOptionKey = keyof typeof DATABASE_OPTIONS;

/** What was given of a database, each value checked by itself. */
export type GivenDatabase = {
  readonly [K in DatabaseOptionKey]?: v.InferOutput<(typeof DATABASE_OPTIONS)[K]['schema']>;
};

import { DATABASE_OPTIONS, type DatabaseOptionKey, type GivenDatabase } from './database-options.js';
import { nameOf as variableNameOf, readGiven, refuse } from './given-options.js';
import { type Environment, textOf } from './variables.js';

/** A database that the queue opens itself, as `sql()` takes it. */
export interface EnvironmentDatabase {
  readonly connection:
    | { readonly driver: 'sqlite'; readonly file: string }
    | (Omit<GivenDatabase, 'driver' | 'schema'> & { readonly driver: ServerDriver });
  readonly schema?: string;
}

type ServerDriver = keyof typeof SCHEMES;

/** How the address of such a server begins. */
const SCHEMES = {
  postgresql: ['postgresql:', 'postgres:'],
  mariadb: ['mariadb:', 'mysql:'],
  mysql: ['mysql:'],
} as const;

/** With none of these set, the other variables are the application's affair, whose MikroORM is used. */
const SELECTING: readonly DatabaseOptionKey[] = ['driver', 'url', 'database'];

/** Whether the environment describes a database of this connection's own. */
export function describesDatabase(environment: Environment, connection: string): boolean {
  return SELECTING.some((key) => textOf(environment, nameOf(key, connection)) !== null);
}

/** The database that the environment describes for a connection; null for the application's own MikroORM. */
export function readDatabase(environment: Environment, connection: string): EnvironmentDatabase | null {
  if (!describesDatabase(environment, connection)) return null;
  const given = readGiven(DATABASE_OPTIONS, DATABASE_OPTIONS.url, environment, connection) as GivenDatabase;
  const { driver = driverOf(given) } = given;
  return driver === 'sqlite' ? sqlite(given, connection) : server(given, driver, connection);
}

/** The address names its server; `mysql://` serves MariaDB's driver too, which has to be asked for. */
function driverOf({ url }: GivenDatabase): ServerDriver | 'sqlite' {
  const protocol = url === undefined ? null : new URL(url).protocol;
  const named = (['postgresql', 'mysql', 'mariadb'] as const).find((driver) =>
    SCHEMES[driver].some((scheme) => scheme === protocol),
  );
  return named ?? 'sqlite';
}

function nameOf(key: DatabaseOptionKey, connection: string): string {
  return variableNameOf(DATABASE_OPTIONS[key], connection);
}

function sqlite({ driver, database, ...others }: GivenDatabase, connection: string): EnvironmentDatabase {
  const [other] = Object.keys(others) as DatabaseOptionKey[];
  if (other !== undefined) {
    refuse(
      nameOf(other, connection),
      driver === undefined
        ? `a server in ${nameOf('driver', connection)} (${Object.keys(SCHEMES).join(', ')}), which is sqlite where it is not set`
        : `none beside ${nameOf('driver', connection)}=sqlite`,
      driver === undefined ? 'none' : 'one',
    );
  }
  if (database === undefined) {
    refuse(nameOf('database', connection), 'the path of a file, for the driver is sqlite', 'nothing');
  }
  return { connection: { driver: 'sqlite', file: database } };
}

function server(
  { schema, ...given }: GivenDatabase,
  driver: ServerDriver,
  connection: string,
): EnvironmentDatabase {
  const { url, database } = given;
  if (url !== undefined) assertScheme(url, driver, connection);
  if (database === undefined && (url === undefined || new URL(url).pathname.slice(1) === '')) {
    refuse(
      nameOf('database', connection),
      `the name of a database, here or at the end of ${nameOf('url', connection)}`,
      'nothing',
    );
  }
  return { connection: { ...given, driver }, ...(schema === undefined ? {} : { schema }) };
}

function assertScheme(url: string, driver: ServerDriver, connection: string): void {
  const { protocol } = new URL(url);
  const expected: readonly string[] = SCHEMES[driver];
  if (expected.includes(protocol)) return;
  const known: readonly string[] = Object.values(SCHEMES).flat();
  refuse(
    nameOf('url', connection),
    `an address that begins with ${expected.join('// or ')}//, as ${nameOf('driver', connection)} is ${driver}`,
    // What is no known scheme may be a name and a password.
    known.includes(protocol) ? `one that begins with ${protocol}//` : 'something else',
  );
}

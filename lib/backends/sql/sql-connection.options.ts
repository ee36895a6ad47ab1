import { describe, QueueConfigurationException } from '../../contract/index.js';
import { unheardEncryption } from './address-encryption.js';

/**
 * A database file of the queue's own.
 *
 * @publicApi
 */
export interface SqliteConnectionOptions {
  readonly driver: 'sqlite';
  /** Path of the file, which `migrateSqlQueue()` creates. `:memory:` serves tests. */
  readonly file: string;
}

/**
 * A database server that the queue connects to by itself.
 *
 * @publicApi
 */
export interface SqlServerConnectionOptions {
  readonly driver: 'postgresql' | 'mariadb' | 'mysql';
  /** An address such as `postgresql://user:password@host:5432/database`; the other options go before its parts. */
  readonly url?: string;
  /** Default: the server on this machine. */
  readonly host?: string;
  /** Default: the port that such a server has. */
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /**
   * `true`, or the options of `tls.connect()`, for an encrypted connection. The server's certificate is checked, its name
   * too, unless the options say otherwise.
   */
  readonly ssl?: boolean | object;
}

/**
 * A database that the queue opens by itself.
 *
 * @publicApi
 */
export type SqlConnectionOptions = SqliteConnectionOptions | SqlServerConnectionOptions;

const DRIVERS = ['sqlite', 'postgresql', 'mariadb', 'mysql'];

/** How the address of such a server begins. */
const SCHEMES = {
  postgresql: ['postgresql:', 'postgres:'],
  mariadb: ['mariadb:', 'mysql:'],
  mysql: ['mysql:'],
};

function refuse(option: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`sql(): connection.${option}: expected ${expected}, came ${came}.`);
}

function assertText(option: string, value: unknown, expected: string, isSecret = false): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return;
  refuse(option, expected, isSecret ? 'something else' : describe(value));
}

function checkFile({ driver, file }: SqliteConnectionOptions): SqlConnectionOptions {
  if (typeof file !== 'string' || file === '') refuse('file', 'the path of a file', describe(file));
  // Not shown: an address holds a password as often as not.
  if (file.includes('://')) refuse('file', 'the path of a file', 'an address');
  return { driver, file };
}

function assertScheme(driver: keyof typeof SCHEMES, url: string): void {
  const expected = SCHEMES[driver];
  if (expected.includes(new URL(url).protocol)) return;
  refuse(
    'url',
    `an address that begins with ${expected.join('// or ')}//, as the driver is ${driver}`,
    'another',
  );
}

function checkServer(options: SqlServerConnectionOptions): SqlConnectionOptions {
  const { url, host, port, user, password, database, ssl } = options;
  if (url !== undefined && (typeof url !== 'string' || !URL.canParse(url))) {
    refuse('url', 'an address such as postgresql://user:password@host:5432/database', 'something else');
  }
  if (url !== undefined) assertScheme(options.driver, url);
  assertText('host', host, 'the name of a host');
  assertText('user', user, 'the name of a user');
  assertText('database', database, 'the name of a database');
  assertText('password', password, 'text', true);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    refuse('port', 'a port number', describe(port));
  }
  if (ssl !== undefined && typeof ssl !== 'boolean' && (typeof ssl !== 'object' || ssl === null)) {
    refuse('ssl', 'true, false or the options of tls.connect()', describe(ssl));
  }
  const asked = unheardEncryption(options);
  if (asked !== null) {
    refuse(
      'url',
      `no "${asked}" in the address, which nobody reads there, but the option "ssl" (DB_SSL=true)`,
      'one',
    );
  }
  const named = database ?? (url === undefined ? '' : new URL(url).pathname.slice(1));
  if (named === '') refuse('database', 'the name of a database, here or in `url`', 'none');
  return options;
}

/** Throws `QueueConfigurationException` for what cannot be connected to; never shows an address or a password. */
export function checkConnection(options: SqlConnectionOptions): SqlConnectionOptions {
  switch (options.driver) {
    case 'sqlite':
      return checkFile(options);
    case 'postgresql':
    case 'mariadb':
    case 'mysql':
      return checkServer(options);
    default:
      refuse('driver', `one of ${DRIVERS.join(', ')}`, describe((options as { driver: unknown }).driver));
  }
}

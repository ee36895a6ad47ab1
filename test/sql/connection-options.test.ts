import { describe, expect, it } from 'vitest';
import { QueueConfigurationException } from '../../lib/contract/index.js';
import { sql, type SqlConnectionOptions } from '../../lib/sql.js';

const secret = 'pass-word';

const refused: readonly (readonly [options: object, message: string])[] = [
  [{ driver: 'oracle' }, 'driver: expected one of sqlite, postgresql, mariadb, mysql, came "oracle"'],
  [{ driver: 'sqlite', file: '' }, 'file: expected the path of a file, came an empty string'],
  [
    { driver: 'sqlite', file: `postgresql://a:${secret}@h/d` },
    'file: expected the path of a file, came an address',
  ],
  [{ driver: 'postgresql' }, 'database: expected the name of a database, here or in `url`, came none'],
  [
    { driver: 'postgresql', url: `postgres://a:${secret}@h` },
    'database: expected the name of a database, here or in `url`, came none',
  ],
  [
    { driver: 'postgresql', url: secret },
    'url: expected an address such as postgresql://user:password@host:5432/database, came something else',
  ],
  [
    { driver: 'postgresql', url: `mysql://a:${secret}@h/d` },
    'url: expected an address that begins with postgresql:// or postgres://, as the driver is postgresql, came another',
  ],
  [
    { driver: 'mysql', url: `${secret}:a@h/d` },
    'url: expected an address that begins with mysql://, as the driver is mysql, came another',
  ],
  [{ driver: 'mariadb', database: 'd', password: 5 }, 'password: expected text, came something else'],
  [{ driver: 'mariadb', database: 'd', port: 0 }, 'port: expected a port number, came 0'],
  [
    { driver: 'mariadb', database: 'd', ssl: 'yes' },
    'ssl: expected true, false or the options of tls.connect(), came "yes"',
  ],
];

describe('a connection of the sql backend', () => {
  it.each(refused)('%j is refused, and no secret is shown', (connection, message) => {
    const make = () => sql({ connection: connection as SqlConnectionOptions });
    expect(make).toThrow(new QueueConfigurationException(`sql(): connection.${message}.`));
    expect(message).not.toContain(secret);
  });

  it.each<SqlConnectionOptions>([
    { driver: 'postgresql', url: 'postgres://h/d' },
    { driver: 'postgresql', url: 'postgresql://h', database: 'd' },
    { driver: 'mariadb', url: 'mysql://h/d' },
    { driver: 'mariadb', url: 'mariadb://h/d', ssl: true },
    { driver: 'mysql', host: 'h', port: 3307, user: 'u', password: 'p', database: 'd', ssl: { ca: 'x' } },
  ])('%j is taken', (connection) => {
    expect(sql({ connection })).toBeTypeOf('function');
  });
});

import { Redis } from 'ioredis';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { QueueConfigurationException, type QueueBackend } from '../../lib/contract/index.js';
import { rabbitmq } from '../../lib/rabbitmq.js';
import { redis } from '../../lib/redis.js';
import { sql, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { bareContext } from '../support/bare-context.js';
import { waitFor } from '../support/eventually.js';
import { readConnection } from '../../lib/module/configuration/environment.js';
import { Eavesdropper } from './support/eavesdropper.js';

const SECRET = 'pass-word-on-the-wire';
/** A record of TLS that says hello. */
const HELLO = Buffer.of(0x16, 0x03);
/** What PostgreSQL's clients begin with when they ask for TLS. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

type Factory = (port: number) => ReturnType<typeof redis>;

async function listen(options: Parameters<typeof Eavesdropper.listen>[0] = {}): Promise<Eavesdropper> {
  const eavesdropper = await Eavesdropper.listen(options);
  onTestFinished(() => eavesdropper.close());
  return eavesdropper;
}

async function open(factory: ReturnType<Factory>): Promise<QueueBackend> {
  const backend = await factory(bareContext());
  onTestFinished(() => backend.close());
  return backend;
}

/** Answers as a sentinel that knows of one master: each command of a chunk. */
function sentinelOf(port: number): (chunk: Buffer) => string {
  const place = `*2\r\n$9\r\n127.0.0.1\r\n$${String(port).length}\r\n${port}\r\n`;
  return (chunk) => {
    const commands = String(chunk)
      .toLowerCase()
      .split(/\*\d+\r\n/)
      .slice(1);
    return commands
      .map((command) => {
        if (command.includes('get-master-addr')) return place;
        return command.includes('sentinel') ? '*0\r\n' : '+OK\r\n';
      })
      .join('');
  };
}

const connectTimeoutMs = 1_000;
const commandTimeoutMs = 1_000;

const asked: readonly (readonly [how: string, factory: Factory])[] = [
  ['redis, rediss://', (port) => redis({ url: `rediss://:${SECRET}@127.0.0.1:${port}`, commandTimeoutMs })],
  [
    'redis, tls beside redis://',
    (port) => redis({ url: `redis://:${SECRET}@127.0.0.1:${port}`, options: { tls: {} }, commandTimeoutMs }),
  ],
  [
    'redis, options without an address',
    (port) => redis({ options: { host: '127.0.0.1', port, password: SECRET, tls: {} }, commandTimeoutMs }),
  ],
  [
    'redis, nodes of a cluster at rediss://',
    (port) => redis({ cluster: { nodes: [`rediss://:${SECRET}@127.0.0.1:${port}`] }, commandTimeoutMs }),
  ],
  [
    'redis, tls of a cluster',
    (port) =>
      redis({
        cluster: {
          nodes: [{ host: '127.0.0.1', port }],
          options: { redisOptions: { tls: {}, password: SECRET } },
        },
        commandTimeoutMs,
      }),
  ],
  [
    'redis, a client of the application',
    (port) => {
      const client = new Redis(`rediss://:${SECRET}@127.0.0.1:${port}`, { lazyConnect: true });
      return redis({ client, commandTimeoutMs });
    },
  ],
  [
    'redis, from the environment',
    (port) => {
      const environment = {
        QUEUE_CONNECTION: 'redis',
        REDIS_URL: `redis://127.0.0.1:${port}`,
        REDIS_PASSWORD: SECRET,
        REDIS_TLS: 'true',
      };
      return redis({ ...readConnection(environment, 'default').redis, commandTimeoutMs });
    },
  ],
  [
    'rabbitmq, amqps://',
    (port) => rabbitmq({ url: `amqps://user:${SECRET}@127.0.0.1:${port}`, connectTimeoutMs }),
  ],
  [
    'rabbitmq, amqps:// with options',
    (port) =>
      rabbitmq({
        url: `amqps://user:${SECRET}@127.0.0.1:${port}`,
        tls: { servername: 'x' },
        connectTimeoutMs,
      }),
  ],
];

describe('where TLS is asked for nothing is sent before it is spoken', () => {
  test.each(asked)('%s', async (_how, factory) => {
    const eavesdropper = await listen();
    const backend = await open(factory(eavesdropper.port));
    void backend.connect().catch(() => undefined);
    await waitFor('the first bytes', () => eavesdropper.heard.length > 2);
    expect(eavesdropper.heard.subarray(0, 2)).toEqual(HELLO);
    expect(eavesdropper.heard.includes(SECRET)).toBe(false);
  });

  test('redis, a master that Sentinel names', async () => {
    const master = await listen();
    const sentinel = await listen({ answer: sentinelOf(master.port) });
    const options = {
      sentinels: [{ host: '127.0.0.1', port: sentinel.port }],
      name: 'main',
      password: SECRET,
      tls: {},
    };
    const backend = await open(redis({ options, commandTimeoutMs }));
    void backend.connect().catch(() => undefined);
    await waitFor('the first bytes', () => master.heard.length > 2);
    expect(master.heard.subarray(0, 2)).toEqual(HELLO);
    expect(Buffer.concat([master.heard, sentinel.heard]).includes(SECRET)).toBe(false);
  });

  test('a client that is asked for none does show the password, so that this would be noticed', async () => {
    const eavesdropper = await listen({ answer: () => '+OK\r\n' });
    const backend = await open(
      redis({ url: `redis://:${SECRET}@127.0.0.1:${eavesdropper.port}`, commandTimeoutMs }),
    );
    void backend.connect().catch(() => undefined);
    await waitFor('the password', () => eavesdropper.heard.includes(SECRET));
  });
});

/** How MariaDB greets, with all capabilities but TLS. */
function greetingWithoutTls(): Buffer {
  const capabilities = 0xf7ff & ~0x0800;
  const body = Buffer.concat([
    Buffer.from('\x0a10.11.0-MariaDB\0'),
    Buffer.of(1, 0, 0, 0),
    Buffer.from('abcdefgh\0'),
    Buffer.of(capabilities & 0xff, capabilities >> 8, 45, 2, 0, 0xff, 0x81, 21),
    Buffer.alloc(10),
    Buffer.from('abcdefghijkl\0'),
    Buffer.from('mysql_clear_password\0'),
  ]);
  return Buffer.concat([Buffer.of(body.length, 0, 0, 0), body]);
}

const databases: readonly (readonly [SqlServerConnectionOptions['driver'], Parameters<typeof listen>[0]])[] =
  [
    ['postgresql', { answer: (chunk) => (chunk.equals(SSL_REQUEST) ? 'N' : 'R\0\0\0\x08\0\0\0\x03') }],
    ['mariadb', { greet: greetingWithoutTls() }],
    ['mysql', { greet: greetingWithoutTls() }],
  ];

describe('a database that says it has no TLS, or somebody on the way who says so,', () => {
  test.each(databases)('gets no password: %s', async (driver, options) => {
    for (const ssl of [true, { rejectUnauthorized: false }]) {
      const eavesdropper = await listen(options);
      const url = `${driver}://user:${SECRET}@127.0.0.1:${eavesdropper.port}/shop`;
      const backend = await open(sql({ connection: { driver, url, ssl } }));
      const failure: unknown = await backend.connect().catch((error: unknown) => error);
      expect(inspect(failure, { depth: 9 })).toMatch(
        /does not support SSL|ER_SERVER_SSL_DISABLED|does not support secure connection/,
      );
      expect(inspect(failure, { depth: 9 })).not.toContain(SECRET);
      expect(eavesdropper.heard).toEqual(driver === 'postgresql' ? SSL_REQUEST : Buffer.alloc(0));
    }
  });
});

describe('options that ask for TLS and would not get it are refused', () => {
  const refused: readonly (readonly [why: string, make: () => unknown, message: RegExp])[] = [
    ...['sslmode=require', 'sslmode=verify-full', 'ssl=true', 'sslrootcert=ca.pem', 'requiressl=1'].map(
      (query) =>
        [
          `postgresql://…?${query}`,
          () => sql({ connection: { driver: 'postgresql', url: `postgresql://u:${SECRET}@h/d?${query}` } }),
          /connection\.url: expected no "\w+" in the address, .* but the option "ssl"/,
        ] as const,
    ),
    ...['ssl-mode=REQUIRED', 'useSSL=true', 'ssl={"ca":"x"}', 'tls=1'].map(
      (query) =>
        [
          `mysql://…?${query}`,
          () => sql({ connection: { driver: 'mysql', url: `mysql://u:${SECRET}@h/d?${query}`, ssl: false } }),
          /connection\.url: expected no "/,
        ] as const,
    ),
    [
      'tls beside amqp://',
      () => rabbitmq({ url: ['amqps://a', `amqp://u:${SECRET}@b`], tls: { ca: 'x' } }),
      /tls: expected addresses that begin with amqps:\/\/ beside it/,
    ],
    [
      'a cluster of which one node is at rediss://',
      () => redis({ cluster: { nodes: ['rediss://a', `redis://:${SECRET}@b`] } }),
      /cluster\.nodes: expected rediss:\/\/ at all nodes or at none, came 1 of 2/,
    ],
    [
      'a node at REDISS://',
      () => redis({ cluster: { nodes: [`REDISS://:${SECRET}@b`] } }),
      /cluster\.nodes: expected addresses/,
    ],
    [
      'REDIS_TLS=false beside rediss://',
      () =>
        readConnection(
          { QUEUE_CONNECTION: 'redis', REDIS_URL: `rediss://:${SECRET}@h`, REDIS_TLS: 'false' },
          'default',
        ),
      /REDIS_TLS: expected true/,
    ],
  ];

  test.each(refused)('%s', (_why, make, message) => {
    expect(make).toThrow(QueueConfigurationException);
    expect(make).toThrow(message);
    expect(make).not.toThrow(SECRET);
  });

  test.each(['sslmode=disable', 'ssl=false', 'charset=utf8mb4', 'connection_limit=5'])(
    'an address that asks for none is taken: %s',
    (query) => {
      const url = `postgresql://h/d?${query}`;
      expect(sql({ connection: { driver: 'postgresql', url } })).toBeTypeOf('function');
    },
  );

  test('beside `ssl: true`, which checks more than any of them, they are taken', () => {
    const url = 'postgresql://h/d?sslmode=verify-full';
    expect(sql({ connection: { driver: 'postgresql', url, ssl: true } })).toBeTypeOf('function');
  });
});

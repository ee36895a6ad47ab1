import { chmodSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { QueueBackend } from '../../lib/contract/index.js';
import { rabbitmq } from '../../lib/rabbitmq.js';
import { redis } from '../../lib/redis.js';
import { migrateSqlQueue, sql, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { sqs } from '../../lib/sqs.js';
import { bareContext } from '../support/bare-context.js';
import { newJob } from '../support/new-job.js';
import { hasMariadbPrograms, newPrivateMariadb } from '../support/private-mariadb.js';
import { newPrivatePostgres, postgresPrograms } from '../support/private-postgres.js';
import type { PrivateServer } from '../support/private-server.js';
import { newVhost } from '../support/rabbitmq-servers.js';
import { newPrefix } from '../support/redis-queue.js';
import { redisTestUrl } from '../support/redis-servers.js';
import { runToEnd } from '../support/server-child.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';
import { temporaryFolder } from '../support/sqlite-queue.js';
import { SqsEmulator } from '../support/sqs-emulator.js';
import { type Certificate, makeCertificate } from './support/certificates.js';
import { type Place, TlsEnd } from './support/tls-end.js';

/** Whom a connection trusts: nobody it was told of, one certificate, or whoever comes. */
type Trust = 'default' | { readonly ca: string } | 'anybody';

const folder = temporaryFolder();
/** For the name and the address by which the tests come. */
let right: Certificate;
/** For another name. */
let wrong: Certificate;
beforeAll(() => {
  right = makeCertificate(folder.path, 'right', ['DNS:localhost', 'IP:127.0.0.1']);
  wrong = makeCertificate(folder.path, 'wrong', ['DNS:elsewhere.example']);
});
afterAll(() => folder.remove());

function tlsOptions(trust: Exclude<Trust, 'default'>): object {
  return trust === 'anybody' ? { rejectUnauthorized: false } : trust;
}

/** What a client says of a certificate that it does not take. */
const REFUSAL = /self.signed certificate|altnames|ER_SELF_SIGNED/i;

async function open(opening: Promise<QueueBackend> | QueueBackend): Promise<QueueBackend> {
  const backend = await opening;
  onTestFinished(() => backend.close());
  return backend;
}

async function expectRefused(opening: Promise<QueueBackend> | QueueBackend): Promise<void> {
  const backend = await open(opening);
  const failure: unknown = await backend.connect().then(
    () => 'connected',
    (error: unknown) => error,
  );
  expect(inspect(failure, { depth: 9 })).toMatch(REFUSAL);
  const [outcome] = await backend.store([newJob({ queue: 'test-tls' })]);
  expect(outcome?.status).toBe('refused');
}

async function expectAccepted(opening: Promise<QueueBackend> | QueueBackend): Promise<void> {
  const backend = await open(opening);
  await backend.connect();
  const [outcome] = await backend.store([newJob({ queue: 'test-tls' })]);
  expect(outcome).toEqual({ status: 'applied' });
}

/** A way to a server by a certificate, and how a backend comes there. */
interface Way {
  readonly through: (certificate: Certificate) => Promise<(trust: Trust) => Promise<QueueBackend>>;
}

function certificateCases(way: Way): void {
  test('a certificate that nobody vouches for is refused without more being asked', async () => {
    await expectRefused((await way.through(right))('default'));
  });
  test('it is taken from who is given it as an authority', async () => {
    await expectAccepted((await way.through(right))({ ca: right.cert }));
  });
  test('a known certificate of another host is refused', async () => {
    await expectRefused((await way.through(wrong))({ ca: wrong.cert }));
  });
  test('any is taken where checks are turned off by name', async () => {
    await expectAccepted((await way.through(wrong))('anybody'));
  });
}

async function tlsEnd(certificate: Certificate, target: Place): Promise<TlsEnd> {
  const end = await TlsEnd.open(certificate, target);
  onTestFinished(() => end.close());
  return end;
}

describe.runIf(isTested('redis'))('redis over TLS', () => {
  certificateCases({
    async through(certificate) {
      const { prefix } = newPrefix();
      const { hostname, port } = redisTestUrl();
      const end = await tlsEnd(certificate, { host: hostname, port: Number(port) || 6379 });
      return async (trust) =>
        redis({
          url: `rediss://localhost:${end.port}`,
          prefix,
          commandTimeoutMs: 2_000,
          ...(trust === 'default' ? {} : { options: { tls: tlsOptions(trust) } }),
        })(bareContext());
    },
  });
});

describe.runIf(isTested('rabbitmq'))('rabbitmq over TLS', () => {
  certificateCases({
    async through(certificate) {
      const vhost = await newVhost();
      onTestFinished(() => vhost.remove());
      const end = await tlsEnd(certificate, {
        host: vhost.url.hostname,
        port: Number(vhost.url.port) || 5672,
      });
      const url = `amqps://guest:guest@localhost:${end.port}/${vhost.name}`;
      return async (trust) =>
        rabbitmq({ url, ...(trust === 'default' ? {} : { tls: tlsOptions(trust) }) })(bareContext());
    },
  });
});

describe.runIf(isTested('sqs'))('sqs over TLS', () => {
  test('a certificate that nobody vouches for is refused', async () => {
    const emulator = await SqsEmulator.start();
    onTestFinished(() => emulator.stop());
    await emulator.createQueue('test-tls');
    const end = await tlsEnd(right, { host: '127.0.0.1', port: emulator.port });
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const endpoint = `https://localhost:${end.port}`;
    const backend = await open(sqs({ endpoint, region: 'us-east-1', credentials })(bareContext()));
    const [outcome] = await backend.store([newJob({ queue: 'test-tls' })]);
    expect(outcome?.status).toBe('refused');
    expect(inspect(outcome, { depth: 9 })).toMatch(REFUSAL);
    expect(end.served).toBe(0);
  });
});

/** A server of the database's own, whose certificate can be another for each test. */
function databaseCases(
  drivers: readonly SqlServerConnectionOptions['driver'][],
  start: (certificate: Certificate) => Promise<PrivateServer>,
): void {
  const servers = new Map<Certificate, PrivateServer>();
  beforeAll(async () => {
    for (const certificate of [right, wrong]) {
      const server = await start(certificate);
      servers.set(certificate, server);
      await server.start();
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers.values()) await server.remove();
  });

  describe.each(drivers)('by the driver %s', (driver) => {
    const { address, backend } = driverNamed(driver);
    const { user } = address;
    const database = backend === 'postgres' ? 'postgres' : 'mysql';
    certificateCases({
      async through(certificate) {
        const port = servers.get(certificate)?.port ?? 0;
        const plain = { driver, host: 'localhost', port, user, database } as const;
        await migrateSqlQueue(plain);
        return async (trust) => {
          const ssl = trust === 'default' ? true : tlsOptions(trust);
          return sql({ connection: { ...plain, ssl } })(bareContext());
        };
      },
    });
  });
}

describe.runIf(isTested('postgres') && postgresPrograms() !== null)('PostgreSQL over TLS', () => {
  databaseCases(['postgresql'], ({ certFile, keyFile }) => {
    // The server takes no key that others may read.
    chmodSync(keyFile, 0o600);
    if (process.getuid?.() === 0) runToEnd(['chown', 'postgres', keyFile]);
    return newPrivatePostgres(['--ssl=on', `--ssl-cert-file=${certFile}`, `--ssl-key-file=${keyFile}`]);
  });
});

describe.runIf(isTested('mariadb') && hasMariadbPrograms())('MariaDB over TLS', () => {
  databaseCases(['mariadb', 'mysql'], ({ certFile, keyFile }) => {
    chmodSync(keyFile, 0o644);
    return newPrivateMariadb([`--ssl-cert=${certFile}`, `--ssl-key=${keyFile}`]);
  });
});

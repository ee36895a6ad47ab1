import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import { Handle, Job, KinetisQueueModule, provideJobs, Queue } from '../../lib/index.js';
import { commandLine } from '../cli/support/command-line.js';
import { start } from '../module/support/run.js';
import { rabbitmqTestUrl } from '../support/rabbitmq-servers.js';
import { redisTestUrl } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';
import { temporaryFolder } from '../support/sqlite-queue.js';
import { type Certificate, makeCertificate } from './support/certificates.js';
import { Eavesdropper } from './support/eavesdropper.js';
import { everythingIn, spellingsOf } from './support/said.js';
import { TlsEnd } from './support/tls-end.js';

const SECRETS = {
  urlPassword: 'planted-url-password-6631',
  optionPassword: 'planted-password-6632',
  payload: 'planted-payload-6633',
  metadata: 'planted-metadata-6634',
  accessKey: 'planted-access-key-6635',
  sessionToken: 'planted-session-token-6636',
  awkward: 'planted\'pass%2Fword"6637',
  elsewhere: 'planted-other-variable-6638',
} as const;

@Job({ maxAttempts: 1 })
class Carry {
  constructor(readonly payload: string) {}

  @Handle()
  handle(): void {}
}

/** A way to a server that does not work, as the environment names it. */
type Way = readonly [what: string, env: () => Promise<Readonly<Record<string, string>>>];

const folder = temporaryFolder();
let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate(folder.path, 'stranger', ['DNS:localhost']);
});
afterAll(() => folder.remove());
afterEach(() => vi.unstubAllEnvs());

/** The port of a server that says what it was told, as those of Redis do of a command that they do not know. */
async function parrot(greet = ''): Promise<number> {
  const server = await Eavesdropper.listen({
    greet: Buffer.from(greet, 'latin1'),
    answer: (chunk) => {
      const words = String(chunk)
        .split(/[\r\n]+/)
        .filter((word) => !/^[*$]\d+$/.test(word));
      return `-ERR unknown command '${words[0]}', with args beginning with: '${words.slice(1).join("' '")}' \r\n`;
    },
  });
  onTestFinished(() => server.close());
  return server.port;
}

async function strangersPort(): Promise<number> {
  const end = await TlsEnd.open(certificate, { host: '127.0.0.1', port: 1 });
  onTestFinished(() => end.close());
  return end.port;
}

/** How PostgreSQL and MariaDB turn somebody away; until MariaDB greets, its clients say nothing. */
const NOT_NOW = 'E\0\0\0\x1cSFATAL\0C53300\0Mnot now\0\0';
const TOO_MANY = '\x17\0\0\0\xff\x10\x04Too many connections';

const { urlPassword, optionPassword, awkward } = SECRETS;
const spelled = encodeURIComponent(awkward);

function redisWays(): readonly Way[] {
  const { hostname, port } = redisTestUrl();
  const at = `${hostname}:${port || 6379}`;
  const env = (more: Readonly<Record<string, string>>) => ({ QUEUE_CONNECTION: 'redis', ...more });
  return [
    ['redis: nobody listens', async () => env({ REDIS_URL: `redis://u:${urlPassword}@127.0.0.1:1` })],
    ['redis: no such host', async () => env({ REDIS_URL: `redis://u:${spelled}@no-such-host.invalid` })],
    ['redis: a wrong password', async () => env({ REDIS_URL: `redis://nobody:${spelled}@${at}` })],
    [
      'redis: a wrong password by itself',
      async () => env({ REDIS_URL: `redis://nobody@${at}`, REDIS_PASSWORD: optionPassword }),
    ],
    [
      'redis: a stranger’s certificate',
      async () => env({ REDIS_URL: `rediss://u:${urlPassword}@localhost:${await strangersPort()}` }),
    ],
    [
      'redis: a server that repeats what it hears',
      async () => env({ REDIS_URL: `redis://u:${spelled}@127.0.0.1:${await parrot()}` }),
    ],
  ];
}

function rabbitWays(): readonly Way[] {
  const { host } = rabbitmqTestUrl();
  const env = (url: string) => ({ QUEUE_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_URL: url });
  return [
    ['rabbitmq: nobody listens', async () => env(`amqp://u:${urlPassword}@127.0.0.1:1/v`)],
    [
      'rabbitmq: no such host',
      async () => env(`amqp://u:${spelled}@no-such-host.invalid,also-none.invalid/v`),
    ],
    ['rabbitmq: a wrong password', async () => env(`amqp://guest:${spelled}@${host}`)],
    [
      'rabbitmq: a virtual host that is not there',
      async () => env(`amqp://guest:${urlPassword}@${host}/gone`),
    ],
    [
      'rabbitmq: a stranger’s certificate',
      async () => env(`amqps://u:${urlPassword}@localhost:${await strangersPort()}`),
    ],
    [
      'rabbitmq: a server that repeats what it hears',
      async () => env(`amqp://u:${urlPassword}@127.0.0.1:${await parrot()}`),
    ],
  ];
}

function sqlWays(name: 'postgresql' | 'mariadb' | 'mysql'): readonly Way[] {
  const { host, port } = driverNamed(name).address;
  const env = (more: Readonly<Record<string, string>>) => ({
    QUEUE_CONNECTION: 'sql',
    DB_DRIVER: name,
    ...more,
  });
  const url = (password: string, place: string) =>
    `${name}://planted_user:${password}@${place}/kinetis_test_none`;
  return [
    [`${name}: nobody listens`, async () => env({ DB_URL: url(urlPassword, '127.0.0.1:1') })],
    [`${name}: no such host`, async () => env({ DB_URL: url(spelled, 'no-such-host.invalid') })],
    [`${name}: a wrong password`, async () => env({ DB_URL: url(spelled, `${host}:${port}`) })],
    [
      `${name}: a wrong password by itself`,
      async () =>
        env({
          DB_HOST: host,
          DB_PORT: `${port}`,
          DB_USER: 'planted_user',
          DB_DATABASE: 'none',
          DB_PASSWORD: optionPassword,
        }),
    ],
    [
      `${name}: a server that is another`,
      async () =>
        env({
          DB_URL: url(spelled, `127.0.0.1:${await parrot(name === 'postgresql' ? NOT_NOW : TOO_MANY)}`),
        }),
    ],
    [
      `${name}: TLS asked for in the address`,
      async () => env({ DB_URL: `${url(urlPassword, 'h')}?sslmode=require` }),
    ],
  ];
}

function sqsWays(): readonly Way[] {
  const env = (endpoint: string) => ({
    QUEUE_CONNECTION: 'sqs',
    QUEUE_SQS_ENDPOINT: endpoint,
    QUEUE_SQS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'planted-id',
    AWS_SECRET_ACCESS_KEY: SECRETS.accessKey,
    AWS_SESSION_TOKEN: SECRETS.sessionToken,
  });
  return [
    ['sqs: nobody listens', async () => env('http://127.0.0.1:1')],
    ['sqs: a stranger’s certificate', async () => env(`https://localhost:${await strangersPort()}`)],
    ['sqs: a server that repeats what it hears', async () => env(`http://127.0.0.1:${await parrot()}`)],
  ];
}

/** Wrong in a way that is found before anything is connected to. */
const misconfigured: readonly Way[] = [
  [
    'an address of another scheme',
    async () => ({ QUEUE_CONNECTION: 'redis', REDIS_URL: `http://u:${urlPassword}@h` }),
  ],
  [
    'an address as a host',
    async () => ({ QUEUE_CONNECTION: 'redis', REDIS_HOST: `redis://u:${urlPassword}@h` }),
  ],
  [
    'an address with a stray %',
    async () => ({ QUEUE_CONNECTION: 'redis', REDIS_URL: `redis://u:${urlPassword}%@h` }),
  ],
  ['an address as a driver', async () => ({ QUEUE_CONNECTION: `redis://u:${urlPassword}@h` })],
  [
    'an address as a file',
    async () => ({ QUEUE_CONNECTION: 'sql', DB_DATABASE: `mysql://u:${urlPassword}@h/d` }),
  ],
  [
    'an address as a prefix',
    async () => ({ QUEUE_CONNECTION: 'redis', QUEUE_PREFIX: `redis://u:${urlPassword}@h` }),
  ],
  [
    'an address of the wrong database',
    async () => ({
      QUEUE_CONNECTION: 'sql',
      DB_DRIVER: 'mysql',
      DB_URL: `postgresql://u:${urlPassword}@h/d`,
    }),
  ],
  [
    'an address without a scheme',
    async () => ({ QUEUE_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_URL: `u:${urlPassword}@h` }),
  ],
  [
    'a near miss of a variable',
    async () => ({
      QUEUE_CONNECTION: 'redis',
      REDIS_PORT: '1',
      QUEUE_REDIS_URL: `redis://u:${urlPassword}@h`,
      REDIS_PASWORD: optionPassword,
      QUEUE_CONECTION: urlPassword,
    }),
  ],
];

const ways: readonly Way[] = [
  ...misconfigured,
  ...(isTested('redis') ? redisWays() : []),
  ...(isTested('rabbitmq') ? rabbitWays() : []),
  ...(isTested('postgres') ? sqlWays('postgresql') : []),
  ...(isTested('mariadb') ? [...sqlWays('mariadb'), ...sqlWays('mysql')] : []),
  ...(isTested('sqs') ? sqsWays() : []),
];

function application() {
  @Module({
    imports: [KinetisQueueModule.forRoot(), KinetisQueueHealthModule],
    providers: [...provideJobs(Carry)],
  })
  class AppModule {}
  return AppModule;
}

/** What an application says where its push fails, and what its health answers. */
async function ofApplication(said: string[]): Promise<void> {
  try {
    const app = await Test.createTestingModule({ imports: [application()] }).compile();
    onTestFinished(() => app.close());
    const push = { metadata: { customer: SECRETS.metadata } };
    for (const job of [new Carry(SECRETS.payload), new Carry(`${SECRETS.payload}'"\\`)]) {
      said.push(
        everythingIn(
          await app
            .get(Queue)
            .push(job, push)
            .catch((error: unknown) => error),
        ),
      );
    }
    const health = app.get(QueueHealthIndicator, { strict: false });
    said.push(everythingIn(await health.connectionCheck('queue')));
  } catch (error) {
    said.push(everythingIn(error));
  }
}

async function ofWorker(said: string[], env: Readonly<Record<string, string>>): Promise<void> {
  const run = start(application(), ['--max-connection-failures=1'], undefined, { ...env });
  run.app.catch(() => undefined);
  expect(await run.ended).not.toBe(0);
  expect(run.log.lines.length).toBeGreaterThan(0);
  said.push(everythingIn(run.log.lines));
}

const COMMAND_LINES = [
  ['doctor'],
  ['doctor', '--json'],
  ['stats'],
  ['failed', 'list', '--queue=mail'],
  ['migrate', '--check'],
];

async function ofCommands(said: string[], env: Readonly<Record<string, string>>): Promise<void> {
  for (const argv of COMMAND_LINES) {
    const { out, err } = await commandLine(argv, { env });
    expect(out + err).not.toBe('');
    said.push(out, err);
  }
}

describe('where a connection cannot be made, nothing that is told holds a secret:', () => {
  test.each(ways)(
    '%s',
    async (_what, environment) => {
      const env = { ...(await environment()), SOME_TOKEN: SECRETS.elsewhere };
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const said: string[] = [];
      await ofApplication(said);
      await ofWorker(said, env);
      await ofCommands(said, env);
      const text = said.join('\n');
      expect(text.length).toBeGreaterThan(500);
      for (const [name, secret] of Object.entries(SECRETS)) {
        for (const spelling of spellingsOf(secret)) {
          const at = text.indexOf(spelling);
          const where = at === -1 ? 'nowhere' : text.slice(Math.max(0, at - 300), at + 100);
          expect([name, where]).toEqual([name, 'nowhere']);
        }
      }
    },
    180_000,
  );
});

test('neither do helps, and complaints of a command line', async () => {
  for (const argv of [
    ['--help'],
    ['doctor', '--help'],
    ['stats', `--pasword=${optionPassword}`],
    [`redis://u:${urlPassword}@h`],
  ]) {
    const { out, err } = await commandLine(argv, {
      env: {
        QUEUE_CONNECTION: 'redis',
        REDIS_PASSWORD: optionPassword,
        REDIS_URL: `redis://u:${urlPassword}@h`,
      },
    });
    expect(out + err).not.toBe('');
    expect(out + err).not.toContain('planted');
  }
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { encodeBody, keepsFailedJobs, type NewJob, type QueueBackend } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { freePorts } from '../support/private-redis.js';
import { newJob } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { commandLine } from './support/command-line.js';
import { rabbitmqStore, sqsStore } from './support/brokers.js';
import { sqliteStore, type Store, STORES } from './support/stores.js';
import { Transcript } from './support/transcript.js';

/**
 * Every command on every backend, with what it printed: `KINETIS_TRANSCRIPT=1 npx vitest run test/cli/every-command.test.ts`
 * prints it all, and test/cli/transcripts/ keeps it.
 */
const BACKENDS: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ...STORES.map(([name, open]) => [name, () => open()] as const),
  ...(isTested('rabbitmq') ? [['rabbitmq', rabbitmqStore] as const] : []),
  ...(isTested('sqs') ? [['sqs', () => sqsStore('mail', 'reports', 'imports')] as const] : []),
];

/** Jobs that can be told apart, the same at each run. */
function reportJob(n: number): NewJob {
  const id = n.toString(16).padStart(32, '0');
  const pushedAt = '2026-01-02T03:04:05.678Z';
  const args = { month: '2026-02', apiKey: 'not-shown' };
  const body = encodeBody({
    id,
    pushedAt,
    class: 'BuildReport',
    args,
    maxAttempts: 3,
    metadata: {},
    chain: [],
  });
  return { ...newJob({ queue: 'reports' }), id, body };
}

/** Given up on, where the backend keeps such jobs; a broker hands a job out when it has it. */
async function giveUp(backend: QueueBackend, ...jobs: readonly NewJob[]): Promise<void> {
  if (!keepsFailedJobs(backend)) return;
  const failure = {
    cause: 'exhausted',
    error: 'Error',
    message: 'the warehouse did not answer',
    stack: null,
  } as const;
  for (const job of jobs) {
    await backend.store([job]);
    const receipt = await waitFor('the job', async () => (await backend.reserve(['reports'], 1))[0]?.receipt);
    await backend.settle([{ operation: 'fail', receipt, failure }]);
  }
}

const COUNTED = '--queue=imports,mail,reports';
const SECOND = reportJob(2).id;

async function everyCommand({ backend, env }: Store): Promise<Transcript> {
  const ledger = await sqliteStore('ledger');
  const told = new Transcript({ ...ledger.env, ...env, QUEUE_CONNECTIONS: 'default,ledger' });
  await giveUp(backend, reportJob(1), reportJob(2), reportJob(3));
  await backend.store([newJob(), newJob(), newJob({ delaySeconds: 600 }), newJob({ queue: 'imports' })]);
  await waitFor('the jobs to be counted', async () => (await backend.count('imports')).ready === 1);

  await told.run('stats');
  await told.run(`stats ${COUNTED}`);
  await told.run('stats --queue=mail --watch --rounds=2 --interval=0.05');
  await told.run('pause --queue=imports');
  await told.run(`doctor ${COUNTED} --observe=0.05`);
  await told.run('resume --queue=imports');

  await told.run('failed list');
  await told.run('failed list --queue=reports');
  await told.run(`failed show --queue=reports --id=${SECOND}`);
  await told.run(`failed retry --queue=reports --id=${SECOND}`);
  await told.run(`failed forget --queue=reports --id=${reportJob(3).id}`);
  await told.run('failed forget --queue=reports --id=none');
  await told.run('failed retry --queue=reports --all');
  await giveUp(backend, reportJob(4));
  await told.run('failed flush --queue=reports');
  await told.run('failed flush --queue=reports --force');

  await told.run('clear --queue=imports');
  await told.run('clear --queue=imports --force');
  await told.run('move --from=default --to=ledger --queue=mail');
  await told.run('stats --connection=ledger');
  await told.run('migrate --check');
  await told.run('migrate');

  await told.run('stats --queue=no.name');
  await told.run('stats --connection=other');
  await told.run('failed retry');
  await told.run('move --from=default --to=default');
  return told;
}

test.each(BACKENDS)('every command on %s prints what is kept of it', async (name, open) => {
  const store = await open();
  const told = await everyCommand(store);
  if (process.env['KINETIS_TRANSCRIPT'] === '1')
    process.stdout.write(`\n===== ${name} =====\n\n${told.text}`);
  await expect(told.text).toMatchFileSnapshot(`transcripts/${name}.txt`);
  const used = new Set(
    COMMANDS.map((command) => command.name).filter((each) => told.text.includes(`queue ${each}`)),
  );
  expect([...used].sort()).toEqual(COMMANDS.map((command) => command.name).sort());
});

/** How each kind of server is described, at a port of this machine. */
const NOT_REACHED: readonly (readonly [name: string, env: (port: number) => Store['env']])[] = [
  ['postgres', (port) => database('postgresql', port)],
  ['mariadb', (port) => database('mariadb', port)],
  ['redis', (port) => ({ QUEUE_CONNECTION: 'redis', REDIS_PORT: String(port) })],
  ['rabbitmq', (port) => ({ QUEUE_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_URL: `amqp://127.0.0.1:${port}` })],
  [
    'sqs',
    (port) => ({
      QUEUE_CONNECTION: 'sqs',
      QUEUE_SQS_ENDPOINT: `http://127.0.0.1:${port}`,
      QUEUE_SQS_REGION: 'us-east-1',
    }),
  ],
];

function database(driver: string, port: number): Store['env'] {
  return { QUEUE_CONNECTION: 'sql', DB_DRIVER: driver, DB_PORT: String(port), DB_DATABASE: 'shop' };
}

test.each(NOT_REACHED)('commands end with 69 where the server of %s is not reached', async (_, env) => {
  const [port = 0] = await freePorts(1);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const line of ['stats --queue=mail', 'doctor --queue=mail']) {
    expect((await commandLine(line.split(' '), { env: env(port) })).code).toBe(69);
  }
});

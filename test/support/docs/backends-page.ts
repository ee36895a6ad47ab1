import { MEMORY_CAPABILITIES } from '../../../lib/backends/memory/index.js';
import { rabbitMqCapabilities } from '../../../lib/backends/rabbitmq/rabbitmq.capabilities.js';
import { rabbitMqSettings } from '../../../lib/backends/rabbitmq/rabbitmq.options.js';
import { REDIS_CAPABILITIES } from '../../../lib/backends/redis/redis.capabilities.js';
import { SQL_CAPABILITIES } from '../../../lib/backends/sql/sql.capabilities.js';
import { SQS_CAPABILITIES } from '../../../lib/backends/sqs/sqs.capabilities.js';
import { SYNC_CAPABILITIES } from '../../../lib/backends/sync/index.js';
import type { Capabilities } from '../../../lib/contract/index.js';

interface Backend {
  readonly name: string;
  readonly import: string;
  readonly about: string;
  readonly capabilities: Capabilities;
}

export const backends: readonly Backend[] = [
  {
    name: 'sync',
    import: "import { sync } from '@kinetis/nestjs-queue'",
    about: 'Runs each job inside its push, in the pushing process. For tests and scripts.',
    capabilities: SYNC_CAPABILITIES,
  },
  {
    name: 'memory',
    import: "import { memory } from '@kinetis/nestjs-queue'",
    about: 'Keeps jobs in the process and loses them with it. For tests, and for work that may be lost.',
    capabilities: MEMORY_CAPABILITIES,
  },
  {
    name: 'sql',
    import: "import { sql } from '@kinetis/nestjs-queue/sql'",
    about: 'Keeps jobs in a table, through MikroORM: SQLite, PostgreSQL, MariaDB, MySQL.',
    capabilities: SQL_CAPABILITIES,
  },
  {
    name: 'redis',
    import: "import { redis } from '@kinetis/nestjs-queue/redis'",
    about: 'Keeps jobs in Redis 7: one server, behind Sentinel, or a Cluster.',
    capabilities: REDIS_CAPABILITIES,
  },
  {
    name: 'rabbitmq',
    import: "import { rabbitmq } from '@kinetis/nestjs-queue/rabbitmq'",
    about:
      'Keeps jobs in classic queues of RabbitMQ 3.10 or later; a delayed job waits in a ladder of queues. With ' +
      "`delays: 'hold'` a delay is 24.8 days at most and a queue cannot be cleared.",
    capabilities: rabbitMqCapabilities(rabbitMqSettings({})),
  },
  {
    name: 'rabbitmq, quorum',
    import: "rabbitmq({ queueType: 'quorum' })",
    about: 'The same in quorum queues, which are replicated, count crashes and have no priorities.',
    capabilities: rabbitMqCapabilities(rabbitMqSettings({ queueType: 'quorum' })),
  },
  {
    name: 'sqs',
    import: "import { sqs } from '@kinetis/nestjs-queue/sqs'",
    about: 'Keeps jobs in standard queues of Amazon SQS, which somebody has created.',
    capabilities: SQS_CAPABILITIES,
  },
];

/** A row a capability, in the order of the page. The type sees to it that none is forgotten. */
const meanings: { readonly [Name in keyof Capabilities]: string } = {
  durable: 'accepted jobs outlive the process',
  delivers: 'hands jobs to workers; without it a push runs the job itself',
  fencedSettlement: 'a settlement by a delivery that has ended is told apart and changes nothing',
  priorityLevels:
    'orders jobs by priority: every value of −100…100 (full), a few levels (−100, 0 and 100 are apart), or none',
  unique: 'refuses a duplicate of a job that holds its unique key',
  maxPushDelaySeconds: 'longest delay of a push',
  maxReleaseDelaySeconds: 'longest delay of a retry or deferral',
  delayGranularitySeconds: 'smallest step of a delay; delays are rounded up to it',
  exactCounts: 'counts are known and exact when they are read, not estimates',
  clear: 'can be cleared',
  failedJobs:
    'keeps failed jobs (yes), or keeps them where they can only be read queue by queue, oldest first (scan); ' +
    'where it does not, a failed job is gone',
  browse: 'its jobs can be looked at one by one',
  extend: 'a reservation is a lease that can be extended',
  pause: 'a queue can be paused for all workers',
  transactionalPush: 'a push can be part of a transaction of the application',
  listQueues: 'can name its queues',
  countsCrashes: 'attempts beyond a cap are deaths of workers, so that crash loops can be stopped',
  freeDeferral: 'a job can be given back without spending an attempt; without it every delivery is one',
  keepsOrder: 'jobs of one priority come oldest first; without it only roughly so',
  keepsPlace: 'a job released at once comes before every job not yet delivered',
  atomicFollowUps:
    'the next job of a chain is stored in the step that acknowledges this one; else before it, and may then run twice',
  atomicPushMany: '`pushMany` stores all or none; same-queue: the jobs of each queue by themselves',
  pushDelivery: 'its server sends jobs to a worker that watches one queue, instead of being asked',
};

function cell(name: keyof Capabilities, { capabilities }: Backend): string {
  const value = capabilities[name];
  // Nothing can be asked of reservations and waiting jobs where there are none.
  if (!capabilities.delivers && name !== 'delivers' && name !== 'durable') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value === Infinity ? 'any' : `${value} s`;
  return value;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** docs/backends.md, made from what the backends say of themselves. */
export function backendsPage(): string {
  const names = Object.keys(meanings) as (keyof Capabilities)[];
  const rows = names.map((name) => [
    `\`${name}\``,
    meanings[name],
    ...backends.map((backend) => cell(name, backend)),
  ]);
  return [
    '# Backends',
    'This page is generated from the capabilities that the backends declare; the queue reads the same data when it refuses ' +
      'an option, and the conformance suite when it chooses its cases. To write it again: ' +
      '`KINETIS_WRITE_DOCS=1 npx vitest run test/house/backends-doc.test.ts`.',
    table(
      ['Backend', 'Import', ''],
      backends.map(({ name, import: statement, about }) => [name, `\`${statement}\``, about]),
    ),
    '## What each can do',
    'An option that a backend lacks is refused by the push, before anything is sent. A dash: there is nothing to ask, ' +
      'since no job ever waits.',
    table(['Capability', 'Meaning', ...backends.map(({ name }) => name)], rows),
    '## A backend of your own',
    'A backend is a function `(context) => QueueBackend`, given to `connections` of `KinetisQueueModule` like any other. ' +
      '[Writing a backend](writing-a-backend.md) says what each operation does to a job, and how the suite in ' +
      '`@kinetis/nestjs-queue/testing` holds it to that, under any test runner.',
  ].join('\n\n');
}

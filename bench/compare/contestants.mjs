// Who is measured on which backend, and how. The first two are this package; `bare` is the client library alone.
import { fileURLToPath } from 'node:url';

const at = (path) => new URL(`drivers/${path}.mjs`, import.meta.url).href;
const ours = [
  { name: 'ours', kind: 'ours', driver: at('ours') },
  { name: 'ours, request-scoped', kind: 'scoped', driver: at('ours'), options: { scoped: true } },
];
const peer = (backend, name, more = {}) => ({
  name,
  kind: 'peer',
  driver: at(`${backend}/${name}`),
  ...more,
});
const bare = (backend, more = {}) => ({ name: 'bare', kind: 'bare', driver: at(`${backend}/bare`), ...more });

/** Node 24, for peers that do not run on an older one; what they are compared with runs on it too. */
export const node24 = fileURLToPath(new URL('../runtime/node_modules/node/bin/node', import.meta.url));

/**
 * `backlog`: jobs that wait before a drain at concurrency 1, 10 and 100; `bulk`: whether pushes in bulk are measured by
 * thousands.
 */
export const comparisons = {
  redis: {
    contestants: [...ours, peer('redis', 'bullmq'), peer('redis', 'bee-queue'), bare('redis')],
    backlog: { c1: 40_000, c10: 150_000, c100: 250_000 },
  },
  postgres: {
    needsNode24: true,
    contestants: [
      ...ours,
      peer('postgres', 'graphile-worker'),
      peer('postgres', 'pg-boss'),
      peer('postgres', 'bullmq-postgres', { slow: true }),
      bare('postgres'),
    ],
    backlog: { c1: 60_000, c10: 80_000, c100: 150_000 },
  },
  mariadb: {
    contestants: [...ours, bare('mariadb')],
    backlog: { c1: 10_000, c10: 50_000, c100: 100_000 },
  },
  sqlite: {
    contestants: [...ours, peer('sqlite', 'plainjob'), bare('sqlite')],
    backlog: { c1: 60_000, c10: 150_000, c100: 300_000 },
  },
  rabbitmq: {
    contestants: [...ours, peer('rabbitmq', 'golevelup'), bare('rabbitmq')],
    backlog: { c1: 30_000, c10: 80_000, c100: 150_000 },
  },
  sqs: {
    needsNode24: true,
    contestants: [...ours, peer('sqs', 'sqs-consumer'), bare('sqs')],
    backlog: { c1: 6_000, c10: 20_000, c100: 30_000 },
  },
  memory: {
    contestants: [...ours, bare('memory')],
    backlog: { c1: 200_000, c10: 300_000, c100: 300_000 },
  },
};

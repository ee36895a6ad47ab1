// A process of its own: makes the tables, says so, and after the answer takes jobs until none is left.
import { migrateSqlQueue, sql, type SqlConnectionOptions } from '@kinetis/nestjs-queue/sql';
import { testBackendContext } from '@kinetis/nestjs-queue/testing';
import { once } from 'node:events';

const connection = JSON.parse(process.argv[2] ?? '') as SqlConnectionOptions;
const backend = await sql({ connection })(testBackendContext());
process.send?.(await migrateSqlQueue(connection));
await once(process, 'message');

const taken: unknown[] = [];
for (;;) {
  const items = await backend.reserve(['mail'], 3);
  if (items.length === 0) break;
  const outcomes = await backend.settle(
    items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })),
  );
  if (outcomes.some(({ status }) => status !== 'applied')) throw new Error('An ack was not applied.');
  taken.push(...items.map(({ body }) => body));
}
process.send?.(taken);
await backend.close();
process.disconnect();

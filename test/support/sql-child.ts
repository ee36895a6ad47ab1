// A process of its own over a database, whose connection is its argument as JSON. It is told what to do line by line on
// standard input and answers each line with one line of JSON.
import { createInterface } from 'node:readline';
import { migrateSqlQueue, sql, type SqlConnectionOptions } from '../../lib/sql.js';

const [, , given = ''] = process.argv;
const connection = JSON.parse(given) as SqlConnectionOptions;
const backend = await sql({ connection })({
  connection: 'default',
  resolve: () => {
    throw new Error('unused');
  },
  runInline: () => Promise.reject(new Error('unused')),
  warn: () => undefined,
});

/** Reserves and acks one batch; answers the bodies of what it took. */
async function takeBatch(limit: number): Promise<readonly unknown[]> {
  const items = await backend.reserve(['mail'], limit);
  const outcomes = await backend.settle(
    items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })),
  );
  if (outcomes.some(({ status }) => status !== 'applied')) throw new Error('an ack was not applied');
  return items.map(({ body }) => body);
}

async function takeAll(limit: number): Promise<readonly unknown[]> {
  const taken: unknown[] = [];
  for (;;) {
    const batch = await takeBatch(limit);
    if (batch.length === 0) return taken;
    taken.push(...batch);
  }
}

async function answer(command: string): Promise<unknown> {
  if (command === 'ready') return true;
  if (command === 'migrate') return migrateSqlQueue(connection);
  if (command === 'take one') return takeBatch(1);
  if (command === 'take all') return takeAll(3);
  throw new Error(`unknown command ${command}`);
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(line)));
}
await backend.close();

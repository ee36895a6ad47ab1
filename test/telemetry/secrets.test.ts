import { expect, test } from 'vitest';
import { Handle, Job, JobDelivery, memory, provideJobs, Queue, Sensitive } from '../../lib/index.js';
import { waitFor } from '../support/eventually.js';
import { startApplication } from './support/start-application.js';
import { TelemetryBench } from './support/telemetry-bench.js';

const PLAIN = 'plain-argument-4711';
const SENSITIVE = 'sensitive-argument-4712';
const METADATA = 'metadata-value-4713';
const KEY = 'unique-key-4714';
const WITHIN = 'within-a-cause-4715';

@Job({ maxAttempts: 2 })
class Leaky {
  constructor(
    readonly plain: string,
    @Sensitive() readonly token: string,
  ) {}

  @Handle()
  handle(delivery: JobDelivery): void {
    const cause = new Error(WITHIN);
    const said = `${this.plain} ${this.token} ${delivery.metadata['customer']} ${KEY}`;
    throw new RangeError(`attempt ${delivery.attempts}: ${said}`, { cause });
  }
}

/** Everything that was exported, as text. */
async function exported(recordExceptions: boolean): Promise<string> {
  const bench = new TelemetryBench();
  const telemetry = bench.telemetry({ recordExceptions });
  const app = await startApplication(memory(), { telemetry, worker: {} }, provideJobs(Leaky));
  const queue = app.get(Queue);
  const metadata = { customer: METADATA };
  await queue.push(new Leaky(PLAIN, SENSITIVE), { metadata, uniqueKey: KEY });
  await queue.pushMany([{ job: new Leaky(PLAIN, SENSITIVE), metadata }]);
  await queue.push(new Leaky(PLAIN, Symbol(SENSITIVE) as never)).catch(() => undefined);
  await waitFor('both jobs to fail', async () => (await queue.counts()).failed === 2);
  const spans = bench.spans.map(({ name, attributes, events, links, status }) => ({
    name,
    attributes,
    events,
    links,
    status,
  }));
  const metrics = await Promise.all(
    ['messaging.client.sent.messages', 'messaging.process.duration', 'kinetis_queue.queue.waiting'].map(
      (name) => bench.measured(name),
    ),
  );
  expect(bench.spans).toHaveLength(7);
  expect(metrics.flat().length).toBeGreaterThan(3);
  return JSON.stringify([spans, metrics]);
}

test('nothing of a payload is recorded: no argument, no metadata, no key, no message of an error', async () => {
  const text = await exported(false);
  for (const secret of [PLAIN, SENSITIVE, METADATA, KEY, WITHIN]) expect(text).not.toContain(secret);
  expect(text).toContain('RangeError');
});

test('recordExceptions records what a job threw as its author wrote it, without sensitive arguments', async () => {
  const text = await exported(true);
  expect(text).not.toContain(SENSITIVE);
  expect(text).toContain('[redacted]');
  expect(text).toContain(`attempt 2: ${PLAIN}`);
  expect(text).toContain(`cause: Error: ${WITHIN}`);
});

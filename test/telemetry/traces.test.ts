import { expect, onTestFinished, test } from 'vitest';
import { provideJobs, Queue } from '../../lib/index.js';
import { tracedBackends } from './support/backends.js';
import { Book, Charge, Notify, SendReceipt } from './support/order.jobs.js';
import { startApplication } from './support/start-application.js';
import { TelemetryBench } from './support/telemetry-bench.js';
import { traceLines } from './support/trace-lines.js';

const JOBS = provideJobs(Charge, Notify, Book, SendReceipt);

/** The whole story of one request: a retry, a push from a handler, a chain within a queue and on to another. */
const STORY = [
  'SERVER POST /orders',
  '  PRODUCER push orders, Charge, stored',
  '    CONSUMER process orders, Charge, #1, released, CardDeclined',
  '    CONSUMER process orders, Charge, #2, succeeded',
  '      PRODUCER push mail, Notify, stored',
  '        CONSUMER process mail, Notify, #1, succeeded',
  '      PRODUCER push orders, Book, stored',
  '        CONSUMER process orders, Book, #1, succeeded',
  '          PRODUCER push mail, SendReceipt, stored',
  '            CONSUMER process mail, SendReceipt, #1, succeeded',
];

test.each(tracedBackends)(
  'on $name one trace leads from the request through its jobs, their retries and chains',
  async ({ name, open }) => {
    const bench = new TelemetryBench();
    onTestFinished(() => bench.close());
    const backend = await open();
    const worker = { queues: ['orders', 'mail'] };
    // What is kept in a process is seen by no other application.
    const alone = name === 'memory';
    const telemetry = bench.telemetry();
    const web = await startApplication(backend, { telemetry, ...(alone ? { worker } : {}) }, JOBS);
    if (!alone) await startApplication(backend, { telemetry: bench.telemetry(), worker }, JOBS);

    const order = new Charge('42');
    await bench.request('POST /orders', () =>
      web.get(Queue).chain([order, new Book('42'), new SendReceipt('42')]),
    );

    expect(traceLines(await bench.ended(STORY.length))).toEqual(STORY);
  },
);

import { expect, it, test } from 'vitest';
import type { BackendFactory, QueueBackend } from '../../lib/contract/index.js';
import { InvalidQueueArgumentException, memory, provideJobs, Queue, sync } from '../../lib/index.js';
import { getQueueToken, Handle, Job, QueueAdmin, QueueConsumer, Sensitive } from '../../lib/index.js';
import { bullBoardQueues } from '../../lib/bull-board.js';
import { newHeader } from '../../lib/index.js';
import { waitFor } from '../support/eventually.js';
import { tracedBackends } from '../telemetry/support/backends.js';
import { BoardBench } from './support/board-bench.js';
import { Post, QUEUE, SECRET, SendInvoice } from './support/jobs.js';

const providers = [Post, ...provideJobs(SendInvoice)];

/** Pushed here and listed nowhere, as by another application. */
@Job({ queue: QUEUE })
class Foreign {
  constructor(
    readonly plain: string,
    @Sensitive() readonly token: string,
    readonly nested: object,
  ) {}

  @Handle()
  handle(): void {}
}

async function failNext(bench: BoardBench, error: Error): Promise<void> {
  const consumer = await bench.app.resolve(QueueConsumer);
  const job = await consumer.pop(5, [QUEUE]);
  if (job === null) throw new Error('Expected a job.');
  await consumer.fail(job, error);
}

/** A backend whose every answer, or that of one method, is the test's own error, once `broken` says so. */
function breakable(only?: keyof QueueBackend): { readonly factory: BackendFactory; broken: Error | null } {
  const state: { factory: BackendFactory; broken: Error | null } = {
    broken: null,
    factory: async (context) => {
      const backend: QueueBackend = await memory()(context);
      return new Proxy(backend, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            const breaks = only === undefined ? name !== 'close' : name === only;
            if (state.broken !== null && breaks) throw state.broken;
            return Reflect.apply(value, target, args);
          };
        },
      });
    },
  };
  return state;
}

test('of a class that the application does not list no argument is shown, neither in the error', async () => {
  const bench = await BoardBench.open({ default: memory() }, providers);
  const job = new Foreign('plain-value-1', SECRET, { deep: ['deep-value-2'] });
  const id = await bench.app.get(Queue).push(job);
  await failNext(bench, new Error(`plain-value-1, ${SECRET}, deep-value-2`));
  const { text } = await bench.ask('GET', `/queues/${QUEUE}/${id}`);
  for (const value of ['plain-value-1', SECRET, 'deep-value-2']) expect(text).not.toContain(value);
  const { job: shown } = await bench.job(QUEUE, id);
  expect(shown).toMatchObject({
    name: 'Foreign',
    data: { plain: '[redacted]', token: '[redacted]', nested: '[redacted]' },
    failedReason: 'Error: [redacted], [redacted], [redacted]',
  });
});

test('bytes that do not decode are counted, not shown', async () => {
  const backend = await memory()({ connection: 'default', warn: () => {} } as never);
  const bench = await BoardBench.open({ default: () => backend }, providers);
  const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
  await backend.store([
    { id: 'f'.repeat(32), queue: QUEUE, delaySeconds: 0, header, body: `{"x":"${SECRET}` },
  ]);
  const { jobs } = await bench.queue(QUEUE, 'waiting');
  expect(jobs).toMatchObject([{ name: '(does not decode)', data: { bytes: 23 } }]);
  expect(JSON.stringify(jobs)).not.toContain(SECRET);
});

test('long payloads and errors are cut, and say so', async () => {
  const bench = await BoardBench.open({ default: memory() }, providers, { maxTextLength: 50 });
  const id = await bench.app.get(Queue).push(new SendInvoice('c'.repeat(200_000)));
  expect((await bench.job(QUEUE, id)).job.data['customer']).toBe(`${'c'.repeat(50)}… (200000 characters)`);
  await failNext(bench, new Error('m'.repeat(5_000)));
  const { text } = await bench.ask('GET', `/queues/${QUEUE}/${id}`);
  expect(text.length).toBeLessThan(2_000);
  expect((await bench.job(QUEUE, id)).job.failedReason).toBe(`Error: ${'m'.repeat(43)}… (5007 characters)`);
});

test('metadata is shown only where the option says so', async () => {
  for (const showMetadata of [false, true]) {
    const bench = await BoardBench.open({ default: memory() }, providers, { showMetadata });
    const metadata = { tenant: 'tenant-4712' };
    const id = await bench.app.get(Queue).push(new SendInvoice('Ada'), { metadata });
    const { text } = await bench.ask('GET', `/queues/${QUEUE}/${id}`);
    expect(text.includes('tenant-4712')).toBe(showMetadata);
  }
});

it.each([
  ['POST', `/queues/${QUEUE}/add`, { name: 'SendInvoice', data: {}, options: {} }, 'cannot add jobs'],
  [
    'PATCH',
    `/queues/${QUEUE}/ID/update-data`,
    { jobData: { customer: 'Eve' } },
    'are not changed by a board',
  ],
  ['PUT', `/queues/${QUEUE}/concurrency`, { concurrency: 3 }, 'option of each worker'],
  ['PUT', `/queues/${QUEUE}/obliterate`, {}, 'not destroyed by a board'],
  ['PATCH', `/queues/${QUEUE}/ID/delay`, { runAt: 1 }, 'JOB_EDIT_NOT_SUPPORTED'],
  ['PATCH', `/queues/${QUEUE}/ID/priority`, { priority: 1 }, 'JOB_EDIT_NOT_SUPPORTED'],
  ['PUT', `/queues/${QUEUE}/clean/active`, {}, 'a worker holds them'],
] as const)('%s %s is refused, and says why', async (method, path, body, why) => {
  const bench = await BoardBench.open({ default: memory() }, providers);
  const id = await bench.app.get(Queue).push(new SendInvoice('Ada'));
  await bench.put(`/queues/${QUEUE}/pause`);
  const answer = await bench.ask(method, path.replace('ID', id), body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(why);
  expect((await bench.job(QUEUE, id)).job.data['customer']).toBe('Ada');
});

test('a backend that is down takes no other queue off the board and shows nothing of its driver', async () => {
  const ledger = breakable();
  const bench = await BoardBench.open({ default: memory(), ledger: ledger.factory }, providers, {
    queues: { ledger: ['invoices'] },
  });
  const id = await bench.app
    .get<Queue>(getQueueToken('ledger'))
    .push(new SendInvoice('Ada'), { queue: 'invoices' });
  await bench.app.get(Queue).push(new SendInvoice('Ada'));
  ledger.broken = new Error(`connect redis://admin:${SECRET}@10.0.0.7 refused`);
  const [first, second] = await bench.queues('activeQueue=ledger.invoices');
  expect(first).toMatchObject({ name: QUEUE, counts: { waiting: 1 } });
  expect(second).toMatchObject({
    name: 'ledger.invoices',
    displayName: 'ledger.invoices (no answer)',
    jobs: [],
  });
  expect(second?.description).toContain('failed to answer');
  const answer = await bench.ask('GET', `/queues/ledger.invoices/${id}`);
  expect(answer.status).toBe(503);
  expect(answer.text + JSON.stringify(second)).not.toMatch(/10\.0\.0\.7|secret-token/);
  ledger.broken = null;
  const [, back] = await bench.queues('activeQueue=ledger.invoices');
  expect(back).toMatchObject({ counts: { waiting: 1 }, jobs: [{ id }] });
  expect(back?.displayName).toBeUndefined();
});

test('numbers that are missing are said to be, also where jobs can be listed', async () => {
  const backend = breakable('count');
  const bench = await BoardBench.open({ default: backend.factory }, providers);
  await bench.app.get(Queue).push(new SendInvoice('Ada'));
  backend.broken = new Error('no count');
  const queue = await bench.queue(QUEUE, 'waiting');
  expect(queue.jobs).toHaveLength(1);
  expect(queue.displayName).toBe(`${QUEUE} (no answer)`);
  expect(queue.description).toContain('failed to answer');
});

test('a backend that never answers is given up on after the timeout', async () => {
  const stalled: BackendFactory = async (context) =>
    Object.assign(await memory()(context), { count: () => new Promise<never>(() => undefined) });
  const bench = await BoardBench.open({ default: stalled }, providers, { timeoutMs: 50 });
  expect((await bench.queue(QUEUE)).description).toContain('No answer within 50 ms.');
});

test('a backend that stores nothing is only watched', async () => {
  const bench = await BoardBench.open({ default: sync() }, providers);
  const queue = await bench.queue(QUEUE);
  expect(queue).toMatchObject({ readOnlyMode: true, allowRetries: false });
  expect(queue.description).toContain('nothing is ever stored');
  expect((await bench.put(`/queues/${QUEUE}/pause`)).status).toBe(405);
});

test.runIf(tracedBackends.some(({ name }) => name === 'rabbitmq'))(
  'RabbitMQ: what it cannot show is said, its failed jobs are shown and retried',
  async () => {
    const rabbitmq = tracedBackends.find(({ name }) => name === 'rabbitmq');
    const bench = await BoardBench.open({ default: await rabbitmq!.open() }, providers);
    const id = await bench.app.get(Queue).push(new SendInvoice('Ada'));
    await failNext(bench, new Error('no post'));
    await bench.app.get(Queue).push(new SendInvoice('Eve'));
    const queue = await bench.queue(QUEUE);
    expect(queue.description).toContain('It cannot list jobs that wait or run, pause.');
    expect(queue.description).toContain('Failed jobs: oldest first, up to 1000.');
    expect(queue.counts).toMatchObject({ waiting: 1, failed: 1 });
    expect(queue.jobs).toMatchObject([{ id, data: { customer: 'Ada', token: '[redacted]' } }]);
    const pause = await bench.put(`/queues/${QUEUE}/pause`);
    expect(pause.status).toBe(400);
    expect(pause.message).toContain('cannot pause a queue for all workers');
    expect((await bench.put(`/queues/${QUEUE}/${id}/retry`)).status).toBe(204);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 2, failed: 0 });
  },
);

test.runIf(tracedBackends.some(({ name }) => name === 'sqs'))(
  'SQS: numbers are shown, with what it cannot, and nothing can be changed',
  async () => {
    const sqs = tracedBackends.find(({ name }) => name === 'sqs');
    const bench = await BoardBench.open({ default: await sqs!.open() }, providers);
    await bench.app.get(Queue).push(new SendInvoice('Ada'));
    await waitFor('the job to be counted', async () => (await bench.queue(QUEUE)).counts['waiting'] === 1);
    const queue = await bench.queue(QUEUE);
    expect(queue).toMatchObject({ readOnlyMode: true, allowRetries: false, jobs: [] });
    expect(queue.statuses).not.toContain('failed');
    expect(queue.description).toContain(
      'cannot list jobs that wait or run, list failed jobs, pause, be emptied',
    );
    expect(queue.description).toContain('Numbers are estimates');
  },
);

test('with readOnly everything is shown and nothing is changed', async () => {
  const bench = await BoardBench.open({ default: memory() }, providers, { readOnly: true });
  const id = await bench.app.get(Queue).push(new SendInvoice('Ada'));
  await failNext(bench, new Error('no'));
  expect((await bench.queue(QUEUE)).jobs).toMatchObject([{ id }]);
  for (const path of [`${id}/retry`, `${id}/clean`, 'pause', 'empty', 'retry/failed', 'clean/failed']) {
    expect((await bench.put(`/queues/${QUEUE}/${path}`)).status).toBe(405);
  }
  expect((await (await bench.app.resolve(QueueAdmin)).failed.list()).jobs).toHaveLength(1);
});

test('a job of another queue is not found by its id', async () => {
  const bench = await BoardBench.open({ default: memory() }, providers, { queues: { default: ['other'] } });
  const id = await bench.app.get(Queue).push(new SendInvoice('Ada'));
  expect((await bench.ask('GET', `/queues/other/${id}`)).status).toBe(404);
  await failNext(bench, new Error('no'));
  expect((await bench.ask('GET', `/queues/other/${id}`)).status).toBe(404);
  expect((await bench.put(`/queues/other/${id}/clean`)).status).toBe(404);
  expect((await bench.ask('GET', `/queues/${QUEUE}/${id}`)).status).toBe(200);
});

it.each([
  ['an unknown option', { shown: true }, '"shown"'],
  ['an unknown connection', { connections: ['ledger'] }, 'Known: "default"'],
  ['queues of an unknown connection', { queues: { ledger: ['x'] } }, 'Known: "default"'],
  ['a name that no queue has', { queues: { default: ['a b'] } }, 'queues'],
  ['a text length of 0', { maxTextLength: 0 }, 'maxTextLength'],
  ['a timeout of 0', { timeoutMs: 0 }, 'timeoutMs'],
  ['readOnly as a text', { readOnly: 'no' }, 'readOnly'],
])('%s is refused', async (_what, options, named) => {
  const { app } = await BoardBench.open({ default: memory() }, providers);
  const make = () => bullBoardQueues(app, options as never);
  expect(make).toThrow(InvalidQueueArgumentException);
  expect(make).toThrow(named);
});

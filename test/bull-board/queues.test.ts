import { describe, expect, it } from 'vitest';
import { provideJobs, Queue, QueueConsumer } from '../../lib/index.js';
import { waitFor } from '../support/eventually.js';
import { tracedBackends } from '../telemetry/support/backends.js';
import { BoardBench } from './support/board-bench.js';
import { Post, QUEUE, SECRET, SendInvoice } from './support/jobs.js';

const providers = [Post, ...provideJobs(SendInvoice)];
const browsed = tracedBackends.filter(({ name }) => ['memory', 'sqlite', 'redis'].includes(name));

/** Takes the next job by hand and gives it up, with its secret in the error. */
async function failNext(bench: BoardBench, said = `refused with ${SECRET}`): Promise<string> {
  const consumer = await bench.app.resolve(QueueConsumer);
  const job = await consumer.pop(5, [QUEUE]);
  if (job === null) throw new Error('Expected a job.');
  await consumer.fail(job, new RangeError(said));
  return job.id;
}

describe.each(browsed)('a board over $name', ({ open }) => {
  it('shows jobs by state, without the value of a sensitive argument in any answer', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const queue = bench.app.get(Queue);
    const failed = await queue.push(new SendInvoice('fails'));
    await failNext(bench);
    const active = await queue.push(new SendInvoice('runs'));
    const consumer = await bench.app.resolve(QueueConsumer);
    expect((await consumer.pop(5, [QUEUE]))?.id).toBe(active);
    const waiting = await queue.push(new SendInvoice('waits'), { priority: 5 });
    const delayed = await queue.push(new SendInvoice('later'), { delaySeconds: 3_600 });

    const all = await bench.queue(QUEUE);
    expect(all.counts).toMatchObject({ active: 1, waiting: 1, failed: 1, delayed: 1 });
    expect(all.statuses).toEqual(['latest', 'active', 'waiting', 'failed', 'delayed']);
    expect(all.jobs.map(({ id }) => id)).toEqual([active, waiting, failed, delayed]);
    const data = (customer: string) => ({ customer, token: '[redacted]' });
    for (const [status, id, customer] of [
      ['active', active, 'runs'],
      ['waiting', waiting, 'waits'],
      ['failed', failed, 'fails'],
      ['delayed', delayed, 'later'],
    ] as const) {
      const { jobs } = await bench.queue(QUEUE, status);
      expect(jobs).toMatchObject([{ id, name: 'SendInvoice', data: data(customer) }]);
      expect(await bench.job(QUEUE, id)).toMatchObject({ status, job: { data: data(customer) } });
    }
    const [shown] = (await bench.queue(QUEUE, 'failed')).jobs;
    expect(shown).toMatchObject({ isFailed: true, attempts: 1, opts: { cause: 'fatal' } });
    expect(shown?.failedReason).toBe('RangeError: refused with [redacted]');

    const paths = [
      `/queues?activeQueue=${QUEUE}`,
      ...[active, waiting, failed, delayed].flatMap((id) => [
        `/queues/${QUEUE}/${id}`,
        `/queues/${QUEUE}/${id}/logs`,
        `/queues/${QUEUE}/${id}/flow`,
      ]),
    ];
    for (const path of paths) {
      const { status, text } = await bench.ask('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(SECRET);
    }
  });

  it('a failed job that is retried runs', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers, { worker: {} });
    const post = bench.app.get(Post);
    post.isOpen = false;
    const id = await bench.app.get(Queue).push(new SendInvoice('Ada'));
    await waitFor('the job to fail', async () => (await bench.queue(QUEUE)).counts['failed'] === 1);
    post.isOpen = true;
    expect(await bench.put(`/queues/${QUEUE}/${id}/retry`)).toMatchObject({ status: 204 });
    await waitFor('the job to run', () => post.sent.includes('Ada'));
    expect((await bench.queue(QUEUE)).counts['failed']).toBe(0);
  });

  it('removes what waits or has failed, and not what a worker holds', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const queue = bench.app.get(Queue);
    const failed = await queue.push(new SendInvoice('fails'));
    await failNext(bench);
    const active = await queue.push(new SendInvoice('runs'));
    await (await bench.app.resolve(QueueConsumer)).pop(5, [QUEUE]);
    const waiting = await queue.push(new SendInvoice('waits'));
    for (const id of [failed, waiting]) {
      expect((await bench.put(`/queues/${QUEUE}/${id}/clean`)).status).toBe(204);
      expect((await bench.ask('GET', `/queues/${QUEUE}/${id}`)).status).toBe(404);
    }
    expect((await bench.put(`/queues/${QUEUE}/${active}/clean`)).status).toBe(409);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ active: 1, waiting: 0, failed: 0 });
  });

  it('promotes one delayed job, and all', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const queue = bench.app.get(Queue);
    const pushes = Array.from({ length: 4 }, () => ({ job: new SendInvoice('later'), delaySeconds: 3_600 }));
    const [first] = await queue.pushMany(pushes);
    expect((await bench.put(`/queues/${QUEUE}/${first}/promote`)).status).toBe(204);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 1, delayed: 3 });
    expect(await bench.put(`/queues/${QUEUE}/${first}/promote`)).toMatchObject({
      status: 409,
      message: 'The job is not delayed any more.',
    });
    expect((await bench.put(`/queues/${QUEUE}/promote`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 4, delayed: 0 });
  });

  it('pauses and resumes for all workers, empties, and cleans a state', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const queue = bench.app.get(Queue);
    expect((await bench.put(`/queues/${QUEUE}/pause`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).isPaused).toBe(true);
    expect((await queue.counts(QUEUE)).paused).toBe(true);
    expect((await bench.put(`/queues/${QUEUE}/resume`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).isPaused).toBe(false);

    await queue.push(new SendInvoice('fails'));
    await failNext(bench);
    await queue.push(new SendInvoice('waits'));
    await queue.push(new SendInvoice('later'), { delaySeconds: 3_600 });
    expect((await bench.put(`/queues/${QUEUE}/clean/delayed`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 1, delayed: 0, failed: 1 });
    expect((await bench.put(`/queues/${QUEUE}/empty`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 0, failed: 1 });
    expect((await bench.put(`/queues/${QUEUE}/clean/failed`)).status).toBe(200);
    expect((await bench.queue(QUEUE)).counts).toMatchObject({ waiting: 0, failed: 0 });
  });

  it('pages through a state, ten at a time, none twice and none left out', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const pushes = Array.from({ length: 23 }, (_, n) => new SendInvoice(`customer ${n}`));
    const ids = await bench.app.get(Queue).pushMany(pushes);
    const pages = [1, 2, 3, 4].map(
      async (page) => (await bench.queue(QUEUE, 'waiting', `&page=${page}`)).jobs,
    );
    const shown = await Promise.all(pages);
    expect(shown.map((jobs) => jobs.length)).toEqual([10, 10, 3, 0]);
    expect(shown.flat().map(({ id }) => id)).toEqual(ids);
  });

  it('retries all failed jobs at once; one whose unique key is taken stays and keeps no other back', async () => {
    const bench = await BoardBench.open({ default: await open() }, providers);
    const queue = bench.app.get(Queue);
    const kept = await queue.push(new SendInvoice('kept'), { uniqueKey: 'invoice 1' });
    await failNext(bench);
    await queue.push(new SendInvoice('taken'), { uniqueKey: 'invoice 1', delaySeconds: 3_600 });
    for (const customer of ['one', 'two', 'three']) {
      await queue.push(new SendInvoice(customer));
      await failNext(bench);
    }
    expect((await bench.put(`/queues/${QUEUE}/retry/failed`)).status).toBe(200);
    const { counts, jobs } = await bench.queue(QUEUE, 'failed');
    expect(counts).toMatchObject({ waiting: 3, failed: 1 });
    expect(jobs.map(({ id }) => id)).toEqual([kept]);
    const alone = await bench.put(`/queues/${QUEUE}/${kept}/retry`);
    expect(alone.status).toBe(409);
    expect(alone.message).toContain('unique key');
  });
});

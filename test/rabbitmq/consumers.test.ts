import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, waitFor } from '../support/eventually.js';
import { RabbitMqLoad } from '../support/rabbitmq-load.js';
import { openRabbitMq, openWire, plainChannel } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';
import { WorkerBench } from '../support/worker-bench.js';

const CUTS = 20;
const BETWEEN_CUTS = 20;

describe.runIf(isTested('rabbitmq'))('a worker', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  it.each([
    ['consumes one queue', ['work']],
    ['sweeps two queues', ['first', 'second']],
  ])(
    `that %s goes on by itself when its connection is cut, ${CUTS} times under load`,
    { timeout: 90_000 },
    async (_what, queues) => {
      const wire = await openWire(vhost.url);
      const options = { queuePrefix: `test-cut-${queues.length}-` };
      const pusher = await openRabbitMq(wire.through(vhost.url), options);
      const load = new RabbitMqLoad(pusher, await openRabbitMq(wire.through(vhost.url), options), queues);
      load.push();
      for (let cut = 0; cut < CUTS; cut += 1) {
        await load.progress(BETWEEN_CUTS);
        wire.cut();
      }
      await load.progress(BETWEEN_CUTS);
      expect(await load.finish()).toMatchObject({ exitCode: 0 });
      console.log(`${CUTS} cuts: ${load.accepted.size} pushes accepted, ${load.rejected} rejected`);
      const channel = await plainChannel(vhost.url);
      for (const queue of queues) {
        const name = `${options.queuePrefix}${queue}`;
        await waitFor('nothing to be left', async () => (await channel.checkQueue(name)).messageCount === 0);
      }
    },
  );

  it.each([
    ['consumes one queue', ['work']],
    ['sweeps two queues', ['work', 'other']],
  ])('that %s runs what is pushed after its queue was deleted, delayed jobs too', async (_what, queues) => {
    const options = { queuePrefix: `test-deleted-${queues.length}-` };
    const bench = new WorkerBench(await openRabbitMq(vhost.url, options));
    const pusher = new WorkerBench(await openRabbitMq(vhost.url, options));
    const channel = await plainChannel(vhost.url);
    const worker = bench.worker({ queues });
    const run = worker.run();
    for (const round of [1, 2, 3]) {
      await pusher.push(`now ${round}`, { queue: 'work' });
      await pusher.push(`later ${round}`, { queue: 'work', delaySeconds: 1 });
      await eventually(`both jobs of round ${round}`, () => bench.begun.length === 2 * round, 20_000);
      await channel.deleteQueue(`${options.queuePrefix}work`);
    }
    await pusher.push('last', { queue: 'work' });
    await eventually('the last job', () => bench.begun.includes('last'), 20_000);
    worker.stop();
    expect(await run).toMatchObject({ exitCode: 0 });
    expect(bench.begun.toSorted()).toEqual(
      ['now', 'later']
        .flatMap((when) => [1, 2, 3].map((round) => `${when} ${round}`))
        .concat('last')
        .toSorted(),
    );
  });

  it('that was stopped consumes nothing any more, whatever becomes of its queue and its connection', async () => {
    const wire = await openWire(vhost.url);
    const options = { queuePrefix: 'test-stopped-' };
    const bench = new WorkerBench(await openRabbitMq(wire.through(vhost.url), options));
    const channel = await plainChannel(vhost.url);
    const consumers = async (): Promise<number> =>
      (await channel.checkQueue(`${options.queuePrefix}default`)).consumerCount;
    await bench.push('before');
    const worker = bench.worker();
    const run = worker.run();
    await eventually('the job', () => bench.begun.length === 1);
    expect(await consumers()).toBe(1);
    worker.stop();
    expect(await run).toMatchObject({ exitCode: 0 });
    expect(await consumers()).toBe(0);
    wire.cut();
    await channel.deleteQueue(`${options.queuePrefix}default`);
    // Over the connection that the worker had: it is opened, and the queue declared, again.
    await waitFor('a push', () => bench.push('after').then(Boolean, () => false));
    const { messageCount, consumerCount } = await channel.checkQueue(`${options.queuePrefix}default`);
    expect({ messageCount, consumerCount, begun: bench.begun }).toEqual({
      messageCount: 1,
      consumerCount: 0,
      begun: ['before'],
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred, eventually, waitFor } from '../support/eventually.js';
import { LONG } from '../support/long.js';
import { newPrivateRabbitmq, type PrivateRabbitmq } from '../support/private-rabbitmq.js';
import { RabbitMqLoad } from '../support/rabbitmq-load.js';
import { openRabbitMq, plainChannel } from '../support/rabbitmq-queue.js';
import { isTested } from '../support/servers.js';
import { WorkerBench } from '../support/worker-bench.js';

const KILLS = LONG ? 10 : 2;
const BETWEEN_KILLS = 100;
const options = { queuePrefix: 'test-' };

describe.runIf(isTested('rabbitmq'))('a broker', () => {
  let server: PrivateRabbitmq;
  beforeAll(async () => {
    server = await newPrivateRabbitmq();
    await server.start();
  });
  afterAll(() => server.remove());

  it(
    `killed ${KILLS} times under load: the worker goes on by itself, and no accepted job is lost`,
    { timeout: (KILLS * 30 + 60) * 1_000 },
    async () => {
      const load = new RabbitMqLoad(
        await openRabbitMq(server.url, options),
        await openRabbitMq(server.url, options),
        ['work'],
      );
      load.push();
      for (let kill = 0; kill < KILLS; kill += 1) {
        await load.progress(BETWEEN_KILLS);
        await server.kill();
        await server.start();
      }
      await load.progress(BETWEEN_KILLS);
      expect(await load.finish()).toMatchObject({ exitCode: 0 });
      const again = [...load.done.values()].filter((times) => times > 1).length;
      console.log(
        `${KILLS} kills: ${load.accepted.size} pushes accepted, ${load.rejected} rejected; ${again} jobs done again`,
      );
      expect(load.rejected, 'the kills came in mid-work').toBeGreaterThan(0);
      expect(load.bench.logged('worker.connection-restored').length).toBeGreaterThanOrEqual(KILLS);
    },
  );

  it(
    'that takes back what is held too long: the delivery is told, and the job runs again',
    { timeout: 60_000 },
    async () => {
      // The broker looks for such deliveries once in a minute otherwise.
      for (const [name, ms] of Object.entries({ consumer_timeout: 1_000, channel_tick_interval: 500 }))
        await server.control('eval', `application:set_env(rabbit, ${name}, ${ms}).`);
      const bench = new WorkerBench(await openRabbitMq(server.url, options));
      const told = deferred<unknown>();
      bench.handler = ({ signal }) => {
        if (bench.begun.length > 1) return undefined;
        return new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            told.resolve(signal.reason);
            resolve();
          }),
        );
      };
      await bench.push('slow');
      const worker = bench.worker();
      const run = worker.run();
      expect(await told.promise).toMatchObject({ cause: { code: 'QUEUE_SERVER_REFUSED' } });
      await eventually('the job to run again', () => bench.begun.length === 2, 20_000);
      await bench.push('next');
      await eventually('the next job', () => bench.begun.includes('next'), 20_000);
      worker.stop();
      expect(await run).toMatchObject({ exitCode: 0 });
    },
  );

  it(
    'that is away when its worker is told to stop: the stop is the end of it',
    { timeout: 60_000 },
    async () => {
      const bench = new WorkerBench(await openRabbitMq(server.url, options));
      await bench.push('before');
      const worker = bench.worker();
      const run = worker.run();
      await eventually('the job', () => bench.begun.length === 1);
      await server.kill();
      await eventually('the outage', () => bench.logged('worker.connection-lost').length === 1);
      worker.stop();
      expect(await run).toMatchObject({ exitCode: 0 });
      await server.start();
      const channel = await plainChannel(server.url);
      await waitFor('the queue', async () => (await channel.checkQueue('test-default')).consumerCount === 0);
      channel.sendToQueue('test-default', Buffer.from('{}'));
      // Two where the broker died before it had the acknowledgement on disk.
      await waitFor('it to stay', async () => (await channel.checkQueue('test-default')).messageCount >= 1);
      expect(bench.begun).toEqual(['before']);
    },
  );
});

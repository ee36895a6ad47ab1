import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Broker } from '../../lib/backends/rabbitmq/broker.js';
import type { ReservedItem } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { idOf, newJob } from '../support/new-job.js';
import { openRabbitMq } from '../support/rabbitmq-queue.js';
import { newVhost, rabbitmqctl, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

const options = { queueType: 'quorum', queuePrefix: 'test-' } as const;

describe.runIf(isTested('rabbitmq'))('a quorum queue whose process does not run yet', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  /** As it is between the moment when the queue is known to the broker and that when its process runs. */
  async function stopProcessOf(queue: string): Promise<() => Promise<void>> {
    const member = `begin {ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"${vhost.name}">>, queue, <<"test-${queue}">>)), amqqueue:get_pid(Q) end`;
    const tell = (request: string): Promise<string> =>
      rabbitmqctl('eval', `ra:${request}(quorum_queues, ${member}).`);
    expect(await tell('stop_server')).toContain('ok');
    return async () => void expect(await tell('restart_server')).toContain('ok');
  }

  /** The process starts when a second connection is asked for, which is behind the end of the first. */
  function startAtSecondSession(start: () => Promise<void>): { readonly asked: number } {
    const { session } = Broker.prototype;
    const sessions = { asked: 0 };
    const spy = vi.spyOn(Broker.prototype, 'session').mockImplementation(async function (this: Broker) {
      sessions.asked += 1;
      if (sessions.asked === 2) await start();
      return session.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    return sessions;
  }

  it('is asked again by a reserve, whose connection the broker ended over it', async () => {
    const backend = await openRabbitMq(vhost.url, options);
    const job = newJob({ queue: 'reserved' });
    await backend.store([job]);
    const sessions = startAtSecondSession(await stopProcessOf('reserved'));

    const ids = backend.reserve(['reserved'], 1).then((items) => items.map(idOf));
    await expect(ids).resolves.toEqual([job.id]);
    expect(sessions.asked).toBe(2);
  });

  it('is asked again by a consumer', async () => {
    const backend = await openRabbitMq(vhost.url, options);
    const job = newJob({ queue: 'consumed' });
    await backend.store([job]);
    const sessions = startAtSecondSession(await stopProcessOf('consumed'));

    const came: ReservedItem[] = [];
    const consumption = await backend.consume('consumed', {
      prefetch: 1,
      onItem: (item) => void came.push(item),
      onLost: (error) => expect.unreachable(error.message),
    });
    await waitFor('the job', () => came.length === 1);
    expect(came.map(idOf)).toEqual([job.id]);
    expect(sessions.asked).toBe(2);
    await consumption.stop();
  });

  it('is told in the words of the broker where it does not start', async () => {
    const backend = await openRabbitMq(vhost.url, options);
    await backend.store([newJob({ queue: 'stays' })]);
    const start = await stopProcessOf('stays');

    await expect(backend.reserve(['stays'], 1)).rejects.toThrow(/reserve\(\): .*noproc/);
    await start();
    expect(await backend.reserve(['stays'], 1)).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PublishNotConfirmedException, QueueServerException } from '../../lib/contract/index.js';
import { idOf, newJob } from '../support/new-job.js';
import { nextItem, openRabbitMq, openWire as openAmqpWire } from '../support/rabbitmq-queue.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const confirmTimeoutMs = 300;

describe.runIf(isTested('rabbitmq'))('a broker that has fallen silent', () => {
  let vhost: TestVhost;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());

  async function openWire(): Promise<{ readonly wire: TcpProxy; readonly url: string }> {
    const { hostname: host, port } = vhost.url;
    const wire = await TcpProxy.open({ host, port: Number(port) || 5_672 });
    onTestFinished(() => wire.close());
    return { wire, url: Object.assign(new URL(vhost.url), { host: `127.0.0.1:${wire.port}` }).href };
  }

  it('holds up no push, no sweep, no stop of a consumer and no close', async () => {
    const { wire, url } = await openWire();
    const backend = await openRabbitMq(url, { queuePrefix: 'test-silent-', confirmTimeoutMs });
    await backend.store([newJob({ queue: 'q' })]);
    const lost: Error[] = [];
    const consumption = await backend.consume('c', {
      prefetch: 1,
      onItem: () => undefined,
      onLost: (error) => lost.push(error),
    });
    await backend.reserve(['other'], 1);
    wire.stall();
    const [pushed] = await backend.store([newJob({ queue: 'q' })]);
    expect(pushed).toMatchObject({ status: 'unknown', error: expect.any(PublishNotConfirmedException) });
    const [undeclared] = await backend.store([newJob({ queue: 'new' })]);
    expect(undeclared).toMatchObject({ status: 'refused', error: { code: 'QUEUE_CONNECTION_FAILED' } });
    await expect(backend.reserve(['other'], 1)).rejects.toBeInstanceOf(QueueServerException);
    await expect(backend.count('q')).rejects.toBeInstanceOf(QueueServerException);
    await consumption.stop();
    await backend.close();
    expect(lost).toEqual([]);
  });

  it('may answer a sweep when nobody waits for it any more: the job goes back', async () => {
    const wire = await openAmqpWire(vhost.url);
    const queuePrefix = 'test-late-';
    const late = await openRabbitMq(wire.through(vhost.url), { queuePrefix, confirmTimeoutMs });
    const another = await openRabbitMq(vhost.url, { queuePrefix });
    const job = newJob({ queue: 'q' });
    await another.store([job]);
    const held = wire.script({ from: 'server', method: 'basic.get-ok', fate: 'hold' });
    await expect(late.reserve(['q'], 1)).rejects.toThrow(/no answer within 300 ms/);
    await held;
    expect(await another.reserve(['q'], 1)).toEqual([]);
    wire.release();
    expect(idOf(await nextItem(another, 'q'))).toBe(job.id);
  });
});

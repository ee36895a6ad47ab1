import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command, type Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionFailed, OutcomeUnknown, type StoreOutcome } from '../../lib/contract/index.js';
import { Gate } from '../../lib/backends/redis/gate.js';
import { redisSettings } from '../../lib/backends/redis/redis.options.js';
import { Wire } from '../../lib/backends/redis/wire.js';
import { waitFor } from '../support/eventually.js';
import { freePorts } from '../support/private-redis.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { clientOf, idOf, newJob, newPrefix, openRedis, privateRedis } from '../support/redis-queue.js';
import { keysOf, redisTestUrl } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';
import { TcpProxy } from '../support/tcp-proxy.js';

function errorOf(outcome: StoreOutcome | undefined): Error | null {
  return outcome !== undefined && 'error' in outcome ? outcome.error : null;
}

/** A wire to the tests' server, and its address for the backend. */
async function wireToServer(): Promise<{ readonly wire: TcpProxy; readonly url: string }> {
  const url = redisTestUrl();
  const wire = await TcpProxy.open({ host: url.hostname, port: Number(url.port) || 6379 });
  onTestFinished(() => wire.close());
  url.host = `127.0.0.1:${wire.port}`;
  return { wire, url: url.href };
}

describe.runIf(isTested('redis'))('a push', () => {
  it('while nobody listens is refused: nothing was sent', async () => {
    const [port] = await freePorts(1);
    const backend = await openRedis({ url: `redis://:hunter2@127.0.0.1:${port}` });
    const [outcome] = await backend.store([newJob()]);
    expect(outcome?.status).toBe('refused');
    const error = errorOf(outcome);
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error?.message).toMatch(/ECONNREFUSED.*Nothing was sent/);
    expect(error?.message).not.toContain('hunter2');
  });

  it('to a server that takes the connection and says nothing is given up on, and never sent later', async () => {
    const { prefix, client } = newPrefix();
    const { wire, url } = await wireToServer();
    wire.stall();
    const backend = await openRedis({ url, prefix, commandTimeoutMs: 200 });
    const [outcome] = await backend.store([newJob()]);
    expect(errorOf(outcome)).toBeInstanceOf(ConnectionFailed);
    wire.resume();
    await waitFor(
      'the wire',
      async () => (await backend.store([newJob({ queue: 'other' })]))[0]?.status === 'applied',
    );
    expect(await keysOf(client, `${prefix}:{mail}`)).toEqual([]);
  });

  it('that was sent and not answered is of unknown outcome, and is not sent again', async () => {
    const { prefix } = newPrefix();
    const { wire, url } = await wireToServer();
    const backend = await openRedis({ url, prefix, commandTimeoutMs: 300 });
    await backend.store([newJob()]);
    wire.stall();
    const [outcome] = await backend.store([newJob()]);
    expect(outcome?.status).toBe('unknown');
    expect(errorOf(outcome)).toBeInstanceOf(OutcomeUnknown);
    wire.resume();
    await waitFor('the wire', async () => (await backend.store([newJob()]))[0]?.status === 'applied');
    const ids = (await backend.reserve(['mail'], 10)).map(idOf);
    expect(new Set(ids).size, 'no job is there twice').toBe(ids.length);
  });

  it('after the server forgot every script is stored, and so is all that follows', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    const backend = await openRedis({ url: server.url });
    for (let round = 0; round < 3; round += 1) {
      await client.script('FLUSH');
      const job = newJob();
      expect((await backend.store([job]))[0]?.status).toBe('applied');
      await client.script('FLUSH');
      const [item] = await backend.reserve(['mail'], 1);
      expect(item === undefined ? null : idOf(item)).toBe(job.id);
      await client.script('FLUSH');
      const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
      expect((await backend.settle([ack]))[0]?.status).toBe('applied');
    }
  });
});

describe.runIf(isTested('redis-cluster'))('on a cluster', () => {
  it('a push to a node that is gone is refused or unknown, and the other nodes go on', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    const backend = await openRedis({
      cluster: { nodes: cluster.nodes },
      prefix: 'kinetis_test',
      commandTimeoutMs: 500,
    });
    const queues = Array.from({ length: 30 }, (_, index) => `q${index}`);
    await backend.store(queues.map((queue) => newJob({ queue })));
    await cluster.client.config('SET', 'cluster-require-full-coverage', 'no');
    for (const node of cluster.client.nodes('master')) {
      await node.config('SET', 'cluster-require-full-coverage', 'no');
    }
    await cluster.kill(2);
    const outcomes = await backend.store(queues.map((queue) => newJob({ queue })));
    const statuses = new Set(outcomes.map(({ status }) => status));
    expect(statuses).toContain('applied');
    expect(statuses.size).toBeGreaterThan(1);
    for (const outcome of outcomes) {
      if ('error' in outcome) expect((outcome.error as { code?: string }).code).toMatch(/^QUEUE_/);
    }
  });
});

describe.runIf(isTested('redis'))('a command that was given up on', () => {
  it('before it was sent is not sent when the server answers again', async () => {
    const { prefix, client } = newPrefix();
    const { wire: between, url } = await wireToServer();
    between.stall();
    const wire = new Wire(redisSettings({ url, prefix, commandTimeoutMs: 200 }));
    onTestFinished(() => wire.close());
    await expect(wire.send('set', [`${prefix}:late`, 1])).rejects.toMatchObject({ sent: false });
    between.resume();
    await waitFor('the wire', () => wire.send('set', [`${prefix}:next`, 1]).catch(() => false));
    expect(await client.exists(`${prefix}:late`)).toBe(0);
  });

  it('makes way for a PING when ioredis writes it after all, so that replies stay in step', async () => {
    const wire = new Wire(redisSettings({ commandTimeoutMs: 20 }));
    const { kept } = standIn(wire, 'ready');
    await expect(wire.send('set', ['late', 1])).rejects.toMatchObject({ sent: false });
    expect(kept[0]?.toWritable({})).toBe('*1\r\n$4\r\nPING\r\n');
    const sent = wire.send('set', ['in time', 1]);
    await waitFor('the command', () => kept.length === 2);
    expect(kept[1]?.toWritable({})).toContain('in time');
    await expect(sent).rejects.toMatchObject({ sent: true });
    await wire.close();
  });

  it('is not kept for as long as the server is away', async () => {
    const wire = new Wire(redisSettings({ commandTimeoutMs: 20 }));
    const { client, kept } = standIn(wire, 'connecting');
    await expect(wire.send('set', ['late', 1])).rejects.toMatchObject({ sent: false });
    const inTime = wire.send('set', ['in time', 1]);
    await nextTurn();
    client.emit('ready');
    await expect(inTime).rejects.toMatchObject({ sent: false });
    expect(kept.map(({ args }) => args[0])).toEqual(['in time']);
    await wire.close();
  });
});

/** Puts a client that keeps what it is told to send in the place of a wire's own. */
function standIn(wire: Wire, status: string): { readonly client: EventEmitter; readonly kept: Command[] } {
  const kept: Command[] = [];
  const client = Object.assign(new EventEmitter(), {
    status,
    sendCommand: (command: Command) => void kept.push(command),
    disconnect: () => undefined,
  });
  const gate = new Gate(client as unknown as Redis);
  Reflect.set(wire, 'opening', Promise.resolve({ client, gate, ioredis: { Command } }));
  return { client, kept };
}

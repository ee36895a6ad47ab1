import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { freePorts } from '../support/private-redis.js';
import { idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { temporaryFolder } from '../support/sqlite-queue.js';

function testFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** A certificate for 127.0.0.1 that signs itself. */
function certificateIn(folder: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...request, ...names], { stdio: 'ignore' });
  return { cert, key };
}

async function startSentinel(master: number): Promise<number> {
  const [port = 0] = await freePorts(1);
  const file = join(testFolder(), 'sentinel.conf');
  const about = ['down-after-milliseconds main 500', 'failover-timeout main 2000'];
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor main 127.0.0.1 ${master} 1`,
      ...about.map((line) => `sentinel ${line}`),
    ].join('\n'),
  );
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return port;
}

describe.runIf(isTested('redis-cluster'))('the queue', () => {
  it('speaks TLS', async () => {
    const { cert, key } = certificateIn(testFolder());
    const [port = 0] = await freePorts(1);
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    await privateRedis(['--tls-port', String(port), ...files, '--tls-auth-clients', 'no']);
    const url = `rediss://127.0.0.1:${port}`;
    const backend = await openRedis({ url, options: { tls: { ca: readFileSync(cert) } } });
    const job = newJob();
    expect((await backend.store([job]))[0]?.status).toBe('applied');
    expect((await backend.reserve(['mail'], 1)).map(idOf)).toEqual([job.id]);
    const suspicious = await openRedis({ url });
    expect((await suspicious.store([newJob()]))[0]?.status, 'a stranger’s certificate').toBe('refused');
  });

  it('finds the master through Sentinel, and the next one after a failover', async () => {
    const first = await privateRedis();
    const second = await privateRedis(['--replicaof', '127.0.0.1', String(first.port)]);
    const sentinel = await startSentinel(first.port);
    const watch = new Redis(sentinel, { lazyConnect: true });
    watch.on('error', () => undefined);
    onTestFinished(() => watch.disconnect());
    await waitFor('Sentinel to know the replica', async () => {
      const replicas = await watch.call('sentinel', 'replicas', 'main').catch(() => []);
      return (
        Array.isArray(replicas) &&
        replicas.some((replica) => String(replica).includes('master-link-status,ok'))
      );
    });
    const backend = await openRedis({
      options: { sentinels: [{ host: '127.0.0.1', port: sentinel }], name: 'main' },
      commandTimeoutMs: 1_000,
    });
    const before = newJob();
    await backend.store([before]);
    await waitFor('the replica to have it', async () => {
      const replica = new Redis(second.port);
      const length = await replica.llen('kinetis_queue:{mail}:pending');
      replica.disconnect();
      return length === 1;
    });
    await first.kill();
    const after = newJob();
    await waitFor(
      'a push to the new master',
      async () => (await backend.store([after]))[0]?.status === 'applied',
    );
    expect((await backend.reserve(['mail'], 5)).map(idOf)).toEqual([before.id, after.id]);
  });
});

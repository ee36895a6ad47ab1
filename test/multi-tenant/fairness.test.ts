import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Handle,
  Job,
  JobDeferred,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  provideJobs,
  Queue,
} from '@kinetis/nestjs-queue';
import { migrateSqlQueue } from '@kinetis/nestjs-queue/sql';
import { drain } from '@kinetis/nestjs-queue/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred, waitFor } from '../support/eventually.js';
import { TENANT } from './current-tenant.js';
import { ExportData, Exports, queueOf } from './exports.js';
import { Ledger } from './ledger.js';
import { TenantSlots } from './tenant-slots.js';

async function started(module: TestingModule): Promise<TestingModule> {
  module.useLogger(false);
  onTestFinished(() => module.close());
  return module.init();
}

test('jobs of a tenant that has many come behind those of another on the same queue', async () => {
  const app = await started(
    await Test.createTestingModule({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
      providers: [Exports, Ledger, ...provideJobs(ExportData)],
    }).compile(),
  );
  const small =
    Array.from({ length: 50 }, (_, n) => `small-${n}`).find((t) => queueOf(t) === queueOf('big')) ?? '';
  await app.get(Exports).request(
    'big',
    Array.from({ length: 120 }, (_, n) => `t${n}`),
  );
  await app.get(Queue).push(new ExportData(small, 'orders'), { queue: queueOf(small) });
  await drain(app);
  const { lines } = app.get(Ledger);
  expect(lines).toHaveLength(121);
  expect(lines[0]).toBe(`${small} exported orders`);
});

@Injectable()
class Gate {
  readonly open = deferred();
  readonly started: string[] = [];
  deferrals = 0;

  @OnJobEvent(JobDeferred)
  deferred(): void {
    this.deferrals += 1;
  }
}

@Job()
class Wait {
  constructor(readonly name: string) {}

  @Handle()
  async handle(gate: Gate): Promise<void> {
    gate.started.push(this.name);
    await gate.open.promise;
  }
}

test('a tenant gets no more than its slots of a worker, and the rest of its jobs spend no attempt', async () => {
  const app = await started(
    await Test.createTestingModule({
      imports: [
        KinetisQueueModule.forRoot({
          connections: { default: memory() },
          middleware: [TenantSlots],
          worker: { concurrency: 10 },
        }),
      ],
      providers: [Gate, TenantSlots, ...provideJobs(Wait)],
    }).compile(),
  );
  const gate = app.get(Gate);
  const queue = app.get(Queue);
  for (const name of ['a1', 'a2', 'a3', 'b1']) {
    await queue.push(new Wait(name), { metadata: { [TENANT]: name.slice(0, 1) } });
  }
  await waitFor('the others', () => gate.started.length === 3 && gate.deferrals > 0);
  expect([...gate.started].sort()).toEqual(['a1', 'a2', 'b1']);
  gate.open.resolve();
  await waitFor('the third of a', () => gate.started.includes('a3')); // has one attempt, and was deferred before
  expect((await queue.counts('default')).failed).toBe(0);
});

test('a tenant with a connection of its own shares no store with the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  vi.stubEnv('QUEUE_FOLDER', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const tenant of ['shared', 'acme', 'globex']) {
    await migrateSqlQueue({ driver: 'sqlite', file: join(folder, `${tenant}.sqlite`) });
  }
  const { ConnectionsModule, TenantQueues } = await import('./tenant-connections.js');
  const app = await started(await Test.createTestingModule({ imports: [ConnectionsModule] }).compile());
  const queues = app.get(TenantQueues);
  await queues.of('acme').push(new Wait('1'));
  await queues.of('somebody').push(new Wait('2'));
  await queues.of('anybody').push(new Wait('3'));
  const sizes = await Promise.all(
    ['acme', 'globex', 'somebody'].map((tenant) => queues.of(tenant).size('default')),
  );
  expect(sizes).toEqual([1, 0, 2]);
});

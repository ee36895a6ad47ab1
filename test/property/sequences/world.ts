import type { ConformanceHarness, OpenedStore } from '../../../lib/testing.js';
import { randomBytes } from 'node:crypto';
import type { Capabilities } from '../../../lib/contract/index.js';
import {
  ClearableQueue,
  ConnectionDirectory,
  Queue,
  QueueAdmin,
  QueueConnection,
} from '../../../lib/queue/index.js';
import { Model } from './model.js';
import { LEASE_UNITS, passingSecondsOf, secondsOf } from './time.js';

/** One process' way to the store. */
export interface Access {
  readonly connection: QueueConnection;
  readonly queue: Queue;
}

/** What a run works on: the store, the two processes that use it, and what the contract says of it. */
export interface World {
  readonly capabilities: Capabilities;
  readonly model: Model;
  readonly queues: readonly [string, string];
  readonly patienceMs: number;
  by(process: number): Access;
  queue(index: number): string;
  clearable(): ClearableQueue;
  admin(): QueueAdmin;
  advance(units: number): Promise<void>;
}

const PATIENCE_MS = 3_000;

export interface OpenedWorld {
  readonly world: World;
  close(): Promise<void>;
}

export async function openWorld(harness: ConformanceHarness): Promise<OpenedWorld> {
  const store = await harness.open({ leaseSeconds: secondsOf(LEASE_UNITS) });
  const backends = [store.backend, (await store.second?.()) ?? store.backend];
  const accesses = backends.map(accessTo);
  const own = randomBytes(4).toString('hex');
  const queues = [`p${own}-a`, `p${own}-b`] as const;
  const model = new Model(harness.capabilities);
  const first = accessOf(accesses, 0);
  const world: World = {
    capabilities: harness.capabilities,
    model,
    queues,
    patienceMs: harness.patienceMs ?? PATIENCE_MS,
    by: (process) => accessOf(accesses, process),
    queue: (index) => queues[index === 0 ? 0 : 1],
    clearable: () => new ClearableQueue(first.queue),
    admin: () => new QueueAdmin(first.queue),
    advance: (units) => passTime(store, model, units),
  };
  return { world, close: () => store.close() };
}

async function passTime(store: OpenedStore, model: Model, units: number): Promise<void> {
  await store.advance?.(passingSecondsOf(units));
  model.now += units;
}

function accessOf(accesses: readonly Access[], process: number): Access {
  const access = accesses[process];
  if (access === undefined)
    throw new RangeError(`Expected one of ${accesses.length} processes, came ${process}.`);
  return access;
}

function accessTo(backend: OpenedStore['backend']): Access {
  const ignore = (): void => undefined;
  const connection = new QueueConnection({
    name: 'default',
    backend,
    reporter: { warn: ignore, error: ignore },
  });
  const directory = new ConnectionDirectory();
  directory.add(connection);
  return { connection, queue: new Queue(connection, directory) };
}

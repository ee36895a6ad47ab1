import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Inject, Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory, REQUEST } from '@nestjs/core';
import { beforeAll, expect, it } from 'vitest';
import { JobDelivery } from '../../../lib/jobs/index.js';
import { aModule, type Application, cleanUpAfterEach, jobs, start } from './application.js';
import { TenantStrategy } from './tenants.js';

const Handle = (): MethodDecorator => () => undefined;

@Injectable()
class Clock {}

@Injectable({ scope: Scope.TRANSIENT })
class Buffering {
  readonly lines = ['one', 'two'];
}

let disposed = 0;
const made: WeakRef<object>[] = [];

@Injectable({ scope: Scope.REQUEST })
class Unit {
  readonly rows = Array.from({ length: 8 }, (_, row) => ({ row }));
  constructor(
    readonly buffering: Buffering,
    @Inject(REQUEST) readonly request: unknown,
  ) {
    if (made.length < 1_000) made.push(new WeakRef(this), new WeakRef(buffering));
  }
  [Symbol.dispose](): void {
    disposed += 1;
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Pool {}

class StaticJob {
  @Handle()
  handle(_clock: Clock, _delivery: JobDelivery) {}
}

class ScopedJob {
  @Handle()
  handle(_unit: Unit, _clock: Clock, _pool: Pool) {}
}

class ThrowingJob {
  @Handle()
  async handle(_unit: Unit) {
    throw new Error('failed');
  }
}

const feature = aModule('FeatureModule', {
  providers: [Clock, Buffering, Unit, Pool, ...jobs(StaticJob, ScopedJob, ThrowingJob)],
});

let collect: () => void;

beforeAll(() => {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as () => void;
});

cleanUpAfterEach();

/** What is still referenced, in bytes, after everything else was collected. */
async function retainedBytes(): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 4; round++) {
    // References that promises and weak collections hold end with the turn, not with the call.
    await turn();
    collect();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

async function deliver(app: Application, statics: number, scoped: number, throwing: number): Promise<void> {
  const metadata = { 'x-tenant-id': 'acme' };
  for (let n = 0; n < statics; n++) await app.deliver(StaticJob, metadata);
  for (let n = 0; n < scoped; n++) await app.deliver(ScopedJob, metadata);
  for (let n = 0; n < throwing; n++) await app.deliver(ThrowingJob, metadata).catch(() => undefined);
}

it('200,000 deliveries, 40,000 of them with a context and 10,000 that fail, leave the heap flat', async () => {
  const app = await start(feature);
  ContextIdFactory.apply(new TenantStrategy());
  await deliver(app, 5_000, 3_000, 1_000);
  const before = await retainedBytes();
  disposed = 0;
  await deliver(app, 160_000, 30_000, 10_000);
  const grownBytes = (await retainedBytes()) - before;
  expect(disposed).toBe(40_000);
  // One object of 24 bytes kept by each of the 40,000 would be twice this.
  expect(grownBytes).toBeLessThan(500_000);
}, 120_000);

it('nothing that was made for a delivery is referenced after it', async () => {
  const app = await start(feature);
  ContextIdFactory.apply(new TenantStrategy());
  made.length = 0;
  await deliver(app, 0, 100, 100);
  expect(made).toHaveLength(400);
  let alive = made.length;
  for (let round = 0; alive > 0 && round < 50; round++) {
    await retainedBytes();
    // A collection that was under way keeps what it had marked by then: the next one takes it.
    alive = made.filter((ref) => ref.deref() !== undefined).length;
  }
  expect(alive).toBe(0);
});

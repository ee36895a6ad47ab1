import { Inject, Injectable, Scope, forwardRef } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { aModule, cleanUpAfterEach, jobs, start } from './application.js';
import { ledger, Recorded } from './ledger.js';
import { noSubTrees, TenantStrategy, throwingAtOpen, throwingInResolution } from './tenants.js';

const Handle = (): MethodDecorator => () => undefined;

@Injectable()
class Shared extends Recorded {}

@Injectable({ scope: Scope.TRANSIENT })
class Inner extends Recorded {}

@Injectable({ scope: Scope.TRANSIENT })
class Outer extends Recorded {
  constructor(readonly inner: Inner) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Unit extends Recorded {
  constructor(
    readonly shared: Shared,
    readonly outer: Outer,
  ) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Repository extends Recorded {
  @Inject(Unit) readonly unit!: Unit;
}

@Injectable({ scope: Scope.REQUEST })
class Service extends Recorded {
  constructor(
    readonly repository: Repository,
    readonly unit: Unit,
  ) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Pool extends Recorded {
  constructor(readonly inner: Inner) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Throwing {
  constructor(readonly unit: Unit) {
    throw new Error('constructor failed');
  }
}

class WorkingJob {
  @Handle()
  handle(service: Service, unit: Unit) {
    return { service, unit };
  }
}

class FailingJob {
  @Handle()
  handle(_service: Service) {
    throw new Error('handler failed');
  }
}

@Injectable()
class Late extends Recorded {}

class ThrowingDependencyJob {
  @Handle()
  handle(_repository: Repository, _throwing: Throwing, _late: Late) {
    return 'never';
  }
}

class TenantJob {
  @Handle()
  handle(pool: Pool, unit: Unit) {
    return { pool, unit };
  }
}

class StaticJob {
  @Handle()
  handle(shared: Shared) {
    return shared;
  }
}

class TransientJob {
  @Handle()
  handle(outer: Outer) {
    return outer;
  }
}

const slow = {
  provide: Late,
  scope: Scope.REQUEST,
  useFactory: async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return new Late();
  },
};

const feature = aModule('FeatureModule', {
  providers: [
    Shared,
    Inner,
    Outer,
    Unit,
    Repository,
    Service,
    Pool,
    Throwing,
    slow,
    ...jobs(WorkingJob, FailingJob, ThrowingDependencyJob, TenantJob, StaticJob, TransientJob),
  ],
});

cleanUpAfterEach();
beforeEach(() => ledger.clear());

async function startCleared(...imports: Parameters<typeof start>) {
  const app = await start(...imports);
  ledger.clear();
  return app;
}

describe('after a delivery', () => {
  it('all that was made for it is disposed once, dependants first, and nothing else', async () => {
    const app = await startCleared(feature);
    await app.deliver(WorkingJob);
    expect(ledger.disposed).toEqual(['Service', 'Repository', 'Unit', 'Outer', 'Inner']);
    expect(ledger.made.toSorted()).toEqual(ledger.disposed.toSorted());
  });

  it('a handler that threw leaves nothing undisposed, and its error stands', async () => {
    const app = await startCleared(feature);
    const scope = app.open(FailingJob);
    await expect(scope.handle(new FailingJob())).rejects.toThrow('handler failed');
    expect(ledger.disposed).toEqual([]);
    await scope.dispose();
    expect(ledger.disposed).toEqual(['Service', 'Repository', 'Unit', 'Outer', 'Inner']);
  });

  it('what was made before, or beside, a constructor that threw is disposed, also if it came later', async () => {
    const app = await startCleared(feature);
    for (let delivery = 0; delivery < 2; delivery++) {
      ledger.clear();
      const scope = app.open(ThrowingDependencyJob);
      await expect(scope.handle(new ThrowingDependencyJob())).rejects.toThrow('constructor failed');
      await scope.dispose();
      expect(ledger.made.toSorted()).toEqual(['Inner', 'Late', 'Outer', 'Repository', 'Unit']);
      expect(ledger.disposed.toSorted()).toEqual(ledger.made.toSorted());
    }
  });

  it('transient instances are disposed, nested ones too', async () => {
    const app = await startCleared(feature);
    await app.deliver(TransientJob);
    await app.deliver(TransientJob);
    expect(ledger.made).toEqual(['Inner', 'Outer', 'Inner', 'Outer']);
    expect(ledger.disposed).toEqual(['Outer', 'Inner', 'Outer', 'Inner']);
  });

  it('static instances stay', async () => {
    const app = await startCleared(feature);
    await app.deliver(StaticJob);
    await app.deliver(WorkingJob);
    expect(ledger.disposed).not.toContain('Shared');
  });

  it('durable instances stay, with the transient ones that belong to them', async () => {
    const app = await startCleared(feature);
    ContextIdFactory.apply(new TenantStrategy());
    for (const tenant of ['acme', 'globex', 'acme']) {
      ledger.clear();
      await app.deliver(TenantJob, { 'x-tenant-id': tenant });
      expect(ledger.disposed).toEqual(['Unit', 'Outer', 'Inner']);
    }
    expect(ledger.made.toSorted()).toEqual(['Inner', 'Outer', 'Unit']);
  });

  it('durable instances that no strategy keeps are of this delivery and disposed with it', async () => {
    const app = await startCleared(feature);
    ContextIdFactory.apply(noSubTrees);
    await app.deliver(TenantJob);
    expect(ledger.disposed.toSorted()).toEqual(['Inner', 'Inner', 'Outer', 'Pool', 'Unit']);
  });

  it('only its own instances are disposed while another delivery goes on', async () => {
    const app = await startCleared(feature);
    const one = app.open(WorkingJob);
    const two = app.open(WorkingJob);
    await Promise.all([one.handle(new WorkingJob()), two.handle(new WorkingJob())]);
    await one.dispose();
    expect(ledger.disposed).toHaveLength(5);
    await two.dispose();
    expect(ledger.disposed).toHaveLength(10);
  });

  it('a second dispose does nothing', async () => {
    const app = await startCleared(feature);
    const scope = app.open(WorkingJob);
    await scope.handle(new WorkingJob());
    await Promise.all([scope.dispose(), scope.dispose()]);
    await scope.dispose();
    expect(ledger.disposed).toHaveLength(5);
  });
});

describe("a strategy's throw", () => {
  it("is the job's failure when a context is opened, and nothing is left to dispose", async () => {
    const app = await startCleared(feature);
    ContextIdFactory.apply(throwingAtOpen);
    const scope = app.open(WorkingJob);
    await expect(scope.handle(new WorkingJob())).rejects.toThrow('strategy failed to attach');
    await scope.dispose();
    expect(ledger.made).toEqual([]);
  });

  it("is the job's failure in resolution, and what was made is disposed", async () => {
    const app = await startCleared(feature);
    ContextIdFactory.apply(throwingInResolution);
    const scope = app.open(TenantJob);
    await expect(scope.handle(new TenantJob())).rejects.toThrow('strategy failed in resolution');
    await scope.dispose();
    expect(ledger.made.toSorted()).toEqual(['Inner', 'Outer', 'Unit']);
    expect(ledger.disposed.toSorted()).toEqual(ledger.made.toSorted());
  });

  it('half-way through a tenant leaves nothing pending there for the deliveries after it', async () => {
    const app = await startCleared(feature);
    const tenant = ContextIdFactory.create();
    let asksBeforeThrow = 0;
    ContextIdFactory.apply({
      attach: (contextId) => {
        let left = asksBeforeThrow;
        return (component) => {
          if (left-- === 0) throw new Error('strategy failed half-way');
          return component.isTreeDurable ? tenant : contextId;
        };
      },
    });
    for (; asksBeforeThrow < 12; asksBeforeThrow++) {
      const scope = app.open(TenantJob);
      await scope.handle(new TenantJob()).catch(() => undefined);
      await scope.dispose();
    }
    asksBeforeThrow = Infinity;
    await expect(app.deliver(TenantJob)).resolves.toBeDefined();
  });

  it('does not spoil a tenant for the deliveries after it', async () => {
    const app = await startCleared(feature);
    const strategy = new TenantStrategy();
    ContextIdFactory.apply(strategy);
    await expect(app.deliver(TenantJob)).rejects.toThrow('no tenant');
    await expect(app.deliver(TenantJob, { 'x-tenant-id': 'acme' })).resolves.toBeDefined();
  });
});

@Injectable({ scope: Scope.REQUEST })
class FailsToClose {
  [Symbol.dispose](): void {
    ledger.disposed.push('FailsToClose');
    throw new Error('close failed');
  }
}

@Injectable({ scope: Scope.REQUEST })
class FailsToCloseLater {
  constructor(readonly unit: FailsToClose) {}
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    ledger.disposed.push('FailsToCloseLater');
    throw new Error('close failed later');
  }
  [Symbol.dispose](): void {
    ledger.disposed.push('the wrong one');
  }
}

class OneFailureJob {
  @Handle()
  handle(_unit: FailsToClose) {
    return 'done';
  }
}

class TwoFailuresJob {
  @Handle()
  handle(_later: FailsToCloseLater, _service: Service) {
    return 'done';
  }
}

describe('a disposal that throws', () => {
  const failing = aModule('FailingModule', {
    providers: [
      Shared,
      Inner,
      Outer,
      Unit,
      Repository,
      Service,
      FailsToClose,
      FailsToCloseLater,
      ...jobs(OneFailureJob, TwoFailuresJob),
    ],
  });

  it('rejects with its error, alone', async () => {
    const app = await startCleared(failing);
    const scope = app.open(OneFailureJob);
    await expect(scope.handle(new OneFailureJob())).resolves.toBe('done');
    await expect(scope.dispose()).rejects.toThrow('close failed');
    await expect(scope.dispose()).resolves.toBeUndefined();
  });

  it('keeps no other from being tried, and several make an AggregateError', async () => {
    const app = await startCleared(failing);
    const scope = app.open(TwoFailuresJob);
    await scope.handle(new TwoFailuresJob());
    const error = await scope.dispose().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual([
      'Error: close failed later',
      'Error: close failed',
    ]);
    expect(ledger.disposed).toHaveLength(7);
    expect(ledger.disposed).not.toContain('the wrong one');
  });
});

@Injectable({ scope: Scope.REQUEST })
class Hen extends Recorded {
  constructor(@Inject(forwardRef(() => Egg)) readonly egg: unknown) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Egg extends Recorded {
  constructor(
    @Inject(forwardRef(() => Hen)) readonly hen: unknown,
    readonly unit: Unit,
  ) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Snake extends Recorded {
  constructor(@Inject(forwardRef(() => Tail)) readonly tail: unknown) {
    super();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Tail extends Recorded {
  constructor(
    @Inject(forwardRef(() => Snake)) readonly snake: unknown,
    readonly throwing: Throwing,
  ) {
    super();
  }
}

class BrokenCycleJob {
  @Handle()
  handle(_snake: Snake) {
    return 'done';
  }
}

class CycleJob {
  @Handle()
  handle(hen: Hen) {
    return hen;
  }
}

class AliasJob {
  @Handle()
  handle(
    @Inject('alias') alias: unknown,
    unit: Unit,
    @Inject('shared') shared: unknown,
    @Inject('handed on') handedOn: unknown,
  ) {
    return { alias, unit, shared, handedOn };
  }
}

describe('instances under other names', () => {
  const aliases = aModule('AliasModule', {
    providers: [
      Shared,
      Inner,
      Outer,
      Unit,
      Hen,
      Egg,
      { provide: 'alias', useExisting: Unit },
      { provide: 'handed on', scope: Scope.REQUEST, useFactory: (unit: Unit) => unit, inject: [Unit] },
      { provide: 'shared', scope: Scope.REQUEST, useFactory: (shared: Shared) => shared, inject: [Shared] },
      Snake,
      Tail,
      Throwing,
      ...jobs(CycleJob, BrokenCycleJob, AliasJob),
    ],
  });

  it('an alias of a request-scoped provider is disposed once, and a shared instance never', async () => {
    const app = await startCleared(aliases);
    const got = await app.deliver<ReturnType<AliasJob['handle']>>(AliasJob);
    expect(got.alias).toBe(got.unit);
    expect(got.handedOn).toBe(got.unit);
    expect(got.shared).toBeInstanceOf(Shared);
    expect(ledger.disposed).toEqual(['Unit', 'Outer', 'Inner']);
  });

  it('a cycle is disposed once each, before what it depends on', async () => {
    const app = await startCleared(aliases);
    const hen = await app.deliver<Hen>(CycleJob);
    expect(hen).toBeInstanceOf(Hen);
    expect(ledger.disposed.slice(0, 2).toSorted()).toEqual(['Egg', 'Hen']);
    expect(ledger.disposed.slice(2)).toEqual(['Unit', 'Outer', 'Inner']);
  });

  it('a placeholder in a cycle whose constructor never ran is not disposed', async () => {
    const app = await startCleared(aliases);
    const scope = app.open(BrokenCycleJob);
    // Nest before 11.2 hands out a cycle before it is complete.
    await scope.handle(new BrokenCycleJob()).catch(() => undefined);
    await scope.dispose();
    expect(ledger.made).not.toContain('Tail');
    expect(ledger.disposed.toSorted()).toEqual(ledger.made.toSorted());
  });
});

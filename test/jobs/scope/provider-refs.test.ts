import { Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProviderRef } from '../../../lib/jobs/index.js';
import { aDelivery, aModule, type Application, cleanUpAfterEach, jobs, start } from './application.js';
import { ledger, Recorded } from './ledger.js';
import { TenantStrategy, throwingAtOpen, throwingInResolution } from './tenants.js';

const Handle = (): MethodDecorator => () => undefined;

@Injectable()
class StaticListener extends Recorded {}

@Injectable({ scope: Scope.REQUEST })
class Unit extends Recorded {}

@Injectable({ scope: Scope.REQUEST })
class ScopedListener extends Recorded {
  constructor(readonly unit: Unit) {
    super();
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientListener extends Recorded {}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantListener extends Recorded {}

class StaticJob {
  handle() {
    return 'done';
  }
}

class ScopedJob {
  @Handle()
  handle(unit: Unit) {
    return unit;
  }
}

const feature = aModule('FeatureModule', {
  providers: [
    StaticListener,
    Unit,
    ScopedListener,
    TransientListener,
    TenantListener,
    ...jobs(StaticJob, ScopedJob),
  ],
});

function refOf(app: Application, token: new (...args: never[]) => object): ProviderRef {
  for (const host of app.modules.values()) {
    const wrapper = host.providers.get(token);
    if (wrapper !== undefined) return { name: token.name, wrapper, host };
  }
  throw new Error(`${token.name} is not provided`);
}

cleanUpAfterEach();
beforeEach(() => ledger.clear());

describe('a listener or middleware', () => {
  it('that is static is the one instance, and opens no context', async () => {
    const app = await start(feature);
    ContextIdFactory.apply(throwingAtOpen);
    const scope = app.open(StaticJob);
    const listener = await scope.resolve(refOf(app, StaticListener));
    expect(listener).toBe(app.context.get(StaticListener, { strict: false }));
    await scope.dispose();
    expect(ledger.disposed).toEqual([]);
  });

  it("that is request-scoped shares the handler's instances and is disposed with them", async () => {
    const app = await start(feature);
    const scope = app.open(ScopedJob);
    const before = (await scope.resolve(refOf(app, ScopedListener))) as ScopedListener;
    const unit = await scope.handle(new ScopedJob());
    const after = await scope.resolve(refOf(app, ScopedListener));
    expect(before.unit).toBe(unit);
    expect(after).toBe(before);
    await scope.dispose();
    expect(ledger.disposed).toEqual(['ScopedListener', 'Unit']);
  });

  it('that is request-scoped works where the job itself needs no context', async () => {
    const app = await start(feature);
    const scope = app.open(StaticJob);
    expect(await scope.handle(new StaticJob())).toBe('done');
    expect(await scope.resolve(refOf(app, ScopedListener))).toBeInstanceOf(ScopedListener);
    await scope.dispose();
    expect(ledger.disposed).toEqual(['ScopedListener', 'Unit']);
  });

  it('that is transient is one instance for the delivery', async () => {
    const app = await start(feature);
    const scope = app.open(StaticJob);
    const first = await scope.resolve(refOf(app, TransientListener));
    expect(await scope.resolve(refOf(app, TransientListener))).toBe(first);
    await scope.dispose();
    expect(ledger.disposed).toEqual(['TransientListener']);
  });

  it("that is durable is its tenant's, and outlives the delivery", async () => {
    const app = await start(feature);
    ContextIdFactory.apply(new TenantStrategy());
    const seen = [];
    for (const tenant of ['acme', 'globex', 'acme']) {
      const scope = app.open(StaticJob, { 'x-tenant-id': tenant });
      seen.push(await scope.resolve(refOf(app, TenantListener)));
      await scope.dispose();
    }
    expect(seen[0]).toBe(seen[2]);
    expect(seen[0]).not.toBe(seen[1]);
    expect(ledger.disposed).toEqual([]);
  });

  it('of a job whose class is unknown is resolved too, while its handle() is refused', async () => {
    const app = await start(feature);
    const scope = app.scopes.open(null, aDelivery(StaticJob));
    expect(await scope.resolve(refOf(app, ScopedListener))).toBeInstanceOf(ScopedListener);
    await expect(scope.handle({})).rejects.toThrow(/provideJobs/);
    await scope.dispose();
    expect(ledger.disposed).toEqual(['ScopedListener', 'Unit']);
  });

  it("gets the strategy's error, and so does the handler after it", async () => {
    const app = await start(feature);
    ContextIdFactory.apply(throwingAtOpen);
    const scope = app.open(ScopedJob);
    await expect(scope.resolve(refOf(app, ScopedListener))).rejects.toThrow('strategy failed to attach');
    await expect(scope.handle(new ScopedJob())).rejects.toThrow('strategy failed to attach');
    await scope.dispose();
  });

  it("gets the strategy's error of an earlier resolution, rather than a tenant's instance in no tenant", async () => {
    const app = await start(feature);
    ContextIdFactory.apply(throwingInResolution);
    const scope = app.open(StaticJob);
    for (let attempt = 0; attempt < 2; attempt++) {
      const resolving = scope.resolve(refOf(app, TenantListener));
      await expect(resolving).rejects.toThrow('strategy failed in resolution');
    }
    await expect(scope.resolve(refOf(app, ScopedListener))).rejects.toThrow('strategy failed in resolution');
    await scope.dispose();
  });

  it('is the one of its own module where another has the same token', async () => {
    const named = (name: string) =>
      aModule(name, {
        providers: [{ provide: ScopedListener, scope: Scope.REQUEST, useFactory: () => ({ name }) }],
      });
    const app = await start(
      named('OneModule'),
      named('TwoModule'),
      aModule('Jobs', { providers: jobs(StaticJob) }),
    );
    const scope = app.open(StaticJob);
    expect(await scope.resolve(refOf(app, ScopedListener))).toEqual({ name: 'OneModule' });
    await scope.dispose();
  });

  it('is refused once the scope is disposed', async () => {
    const app = await start(feature);
    const scope = app.open(StaticJob);
    await scope.dispose();
    await expect(scope.resolve(refOf(app, ScopedListener))).rejects.toThrow(/disposed/);
    expect(ledger.made).toEqual(['StaticListener']);
  });

  it('that is being resolved while the scope is disposed is disposed too', async () => {
    const app = await start(feature);
    const scope = app.open(StaticJob);
    const resolving = scope.resolve(refOf(app, ScopedListener));
    await scope.dispose();
    await resolving;
    expect(ledger.disposed).toEqual(['ScopedListener', 'Unit']);
  });
});

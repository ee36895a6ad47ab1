import { Inject, Injectable, Optional, Scope, forwardRef } from '@nestjs/common';
import { ContextIdFactory, ModuleRef, REQUEST } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { JobDelivery } from '../../../lib/jobs/index.js';
import { aModule, cleanUpAfterEach, jobs, start } from './application.js';
import { TenantStrategy } from './tenants.js';

/** Stands in for @Handle(): any decorator on a method makes its types be emitted. */
const Handle = (): MethodDecorator => () => undefined;

@Injectable()
class Clock {}

@Injectable({ scope: Scope.REQUEST })
class UnitOfWork {
  constructor(
    readonly clock: Clock,
    readonly delivery: JobDelivery,
    @Inject(REQUEST) readonly request: unknown,
  ) {}
}

@Injectable({ scope: Scope.REQUEST })
class Repository {
  constructor(readonly unit: UnitOfWork) {}
}

@Injectable({ scope: Scope.TRANSIENT })
class Buffering {}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantPool {
  constructor(@Inject(REQUEST) readonly payload: { readonly tenant: string }) {}
}

@Injectable({ scope: Scope.TRANSIENT })
class Formatting {
  constructor(readonly unit: UnitOfWork) {}
}

@Injectable()
class Presenting {
  constructor(readonly formatting: Formatting) {}
}

@Injectable({ scope: Scope.REQUEST })
class TenantReport {
  constructor(
    readonly pool: TenantPool,
    @Inject(REQUEST) readonly request: unknown,
  ) {}
}

class NestedTenantJob {
  @Handle()
  handle(report: TenantReport, delivery: JobDelivery) {
    return { report, delivery };
  }
}

class InheritedScopeJob {
  @Handle()
  handle(formatting: Formatting, presenting: Presenting, unit: UnitOfWork) {
    return { formatting, presenting, unit };
  }
}

class StaticJob {
  @Handle()
  handle(clock: Clock, delivery: JobDelivery) {
    return { clock, delivery };
  }
}

class ScopedJob {
  @Handle()
  handle(unit: UnitOfWork, repository: Repository, delivery: JobDelivery, clock: Clock) {
    return { unit, repository, delivery, clock };
  }
}

class TransientJob {
  @Handle()
  handle(buffering: Buffering, clock: Clock) {
    return { buffering, clock };
  }
}

class TenantJob {
  @Handle()
  handle(pool: TenantPool, delivery: JobDelivery, unit: UnitOfWork) {
    return { pool, delivery, unit };
  }
}

class DurableOnlyJob {
  @Handle()
  handle(pool: TenantPool) {
    return { pool };
  }
}

const all = aModule('FeatureModule', {
  providers: [
    Clock,
    UnitOfWork,
    Repository,
    Buffering,
    TenantPool,
    Formatting,
    Presenting,
    TenantReport,
    ...jobs(
      StaticJob,
      ScopedJob,
      TransientJob,
      TenantJob,
      DurableOnlyJob,
      NestedTenantJob,
      InheritedScopeJob,
    ),
  ],
});

cleanUpAfterEach();

describe('what handle() gets', () => {
  it('is the one static instance, and the delivery itself', async () => {
    const app = await start(all);
    const first = await app.deliver<ReturnType<StaticJob['handle']>>(StaticJob);
    const second = await app.deliver<ReturnType<StaticJob['handle']>>(StaticJob);
    expect(first.clock).toBe(app.context.get(Clock, { strict: false }));
    expect(second.clock).toBe(first.clock);
    expect(first.delivery).toBeInstanceOf(JobDelivery);
    expect(second.delivery).not.toBe(first.delivery);
  });

  it('needs no context where every parameter is static: the strategy is not asked', async () => {
    const app = await start(all);
    ContextIdFactory.apply({
      attach() {
        throw new Error('asked');
      },
    });
    await expect(app.deliver(StaticJob)).resolves.toBeDefined();
  });

  it('is one request-scoped instance for the whole delivery, and another for the next', async () => {
    const app = await start(all);
    const first = await app.deliver<ReturnType<ScopedJob['handle']>>(ScopedJob);
    const second = await app.deliver<ReturnType<ScopedJob['handle']>>(ScopedJob);
    expect(first.unit).toBeInstanceOf(UnitOfWork);
    expect(first.repository.unit).toBe(first.unit);
    expect(second.unit).not.toBe(first.unit);
    expect(second.clock).toBe(first.clock);
  });

  it('has the delivery as REQUEST and as JobDelivery in request-scoped providers', async () => {
    const app = await start(all);
    const { unit, delivery } = await app.deliver<ReturnType<ScopedJob['handle']>>(ScopedJob);
    expect(unit.delivery).toBe(delivery);
    expect(unit.request).toBe(delivery);
  });

  it('is a new transient instance for each delivery', async () => {
    const app = await start(all);
    const first = await app.deliver<ReturnType<TransientJob['handle']>>(TransientJob);
    const second = await app.deliver<ReturnType<TransientJob['handle']>>(TransientJob);
    expect(first.buffering).toBeInstanceOf(Buffering);
    expect(second.buffering).not.toBe(first.buffering);
    expect(second.clock).toBe(first.clock);
  });

  it('is one durable instance per tenant, told apart by the metadata', async () => {
    const app = await start(all);
    ContextIdFactory.apply(new TenantStrategy());
    const deliver = (tenant: string) =>
      app.deliver<ReturnType<TenantJob['handle']>>(TenantJob, { 'x-tenant-id': tenant });
    const acme = await deliver('acme');
    const globex = await deliver('globex');
    const acmeAgain = await deliver('acme');
    expect(acmeAgain.pool).toBe(acme.pool);
    expect(globex.pool).not.toBe(acme.pool);
    expect([acme.pool.payload.tenant, globex.pool.payload.tenant]).toEqual(['acme', 'globex']);
    expect(acmeAgain.unit).not.toBe(acme.unit);
    expect(acmeAgain.unit.request).toBe(acmeAgain.delivery);
  });

  it('gives a durable provider the payload of the strategy where nothing else is request-scoped', async () => {
    const app = await start(all);
    ContextIdFactory.apply(new TenantStrategy());
    const { pool } = await app.deliver<ReturnType<DurableOnlyJob['handle']>>(DurableOnlyJob, {
      'x-tenant-id': 'acme',
    });
    expect(pool.payload.tenant).toBe('acme');
  });

  it('gives a durable provider the payload below a request-scoped one, which has the delivery', async () => {
    const app = await start(all);
    ContextIdFactory.apply(new TenantStrategy());
    for (const tenant of ['acme', 'globex', 'acme']) {
      const got = await app.deliver<ReturnType<NestedTenantJob['handle']>>(NestedTenantJob, {
        'x-tenant-id': tenant,
      });
      expect(got.report.pool.payload.tenant).toBe(tenant);
      expect(got.report.request).toBe(got.delivery);
    }
  });

  it("shares the delivery's instance with transient and default-scoped providers above it", async () => {
    const app = await start(all);
    for (let delivery = 0; delivery < 2; delivery++) {
      const got = await app.deliver<ReturnType<InheritedScopeJob['handle']>>(InheritedScopeJob);
      expect(got.formatting.unit).toBe(got.unit);
      expect(got.presenting.formatting.unit).toBe(got.unit);
      expect(got.unit).toBeInstanceOf(UnitOfWork);
    }
  });

  it('stays apart for two deliveries that run interleaved', async () => {
    const app = await start(all);
    const one = app.open(ScopedJob);
    const two = app.open(ScopedJob);
    const [first, second] = (await Promise.all([
      one.handle(new ScopedJob()),
      two.handle(new ScopedJob()),
    ])) as ReturnType<ScopedJob['handle']>[];
    expect(first?.unit).not.toBe(second?.unit);
    expect(first?.unit.delivery).toBe(first?.delivery);
    expect(second?.repository.unit).toBe(second?.unit);
    await one.dispose();
    await two.dispose();
  });
});

const NAME = Symbol('name');

class TokensJob {
  @Handle()
  handle(
    @Inject('text') text: string,
    @Inject(NAME) name: unknown,
    @Optional() @Inject('missing') missing: unknown,
    @Optional() absent: Repository,
    @Inject() clock: Clock,
    @Inject(forwardRef(() => Later)) later: unknown,
    @Inject('slow') slow: unknown,
    @Inject('promised') promised: unknown,
  ) {
    return { text, name, missing, absent, clock, later, slow, promised };
  }
}

@Injectable()
class Later {}

class InjectJob {
  handle(clock: Clock, text: string, missing?: unknown, delivery?: JobDelivery) {
    return { clock, text, missing, delivery };
  }
}

describe('how a parameter names its provider', () => {
  const tokens = aModule('TokensModule', {
    providers: [
      Clock,
      Later,
      { provide: 'text', useValue: 'hello' },
      { provide: NAME, useValue: null },
      { provide: 'slow', useFactory: () => new Promise((resolve) => setTimeout(resolve, 5, 'made late')) },
      { provide: 'promised', useValue: Promise.resolve('a value promised') },
      ...jobs(TokensJob),
    ],
  });

  it('by @Inject with a string or symbol, bare @Inject, @Optional, forwardRef, async and value providers', async () => {
    const app = await start(tokens);
    for (let delivery = 0; delivery < 2; delivery++) {
      const got = await app.deliver<ReturnType<TokensJob['handle']>>(TokensJob);
      expect(got.text).toBe('hello');
      expect(got.name).toBeNull();
      expect(got.missing).toBeUndefined();
      expect(got.absent).toBeUndefined();
      expect(got.clock).toBeInstanceOf(Clock);
      expect(got.later).toBeInstanceOf(Later);
      expect(got.slow).toBe('made late');
      expect(got.promised).toBe('a value promised');
    }
  });

  it('by @Job({ inject }) where no types are emitted', async () => {
    const { define } = await import('./application.js');
    const { listJob } = await import('../../../lib/jobs/scope/index.js');
    const definition = define(InjectJob, {
      inject: [Clock, 'text', { token: 'missing', optional: true }, JobDelivery],
    });
    const app = await start(
      aModule('InjectModule', {
        providers: [Clock, { provide: 'text', useValue: 'hello' }, listJob(definition)],
      }),
    );
    const got = await app.deliver<ReturnType<InjectJob['handle']>>(InjectJob);
    expect(got.clock).toBeInstanceOf(Clock);
    expect(got.text).toBe('hello');
    expect(got.missing).toBeUndefined();
    expect(got.delivery).toBeInstanceOf(JobDelivery);
  });
});

class ResolvingJob {
  @Handle()
  async handle(moduleRef: ModuleRef, unit: UnitOfWork, delivery: JobDelivery) {
    const contextId = ContextIdFactory.getByRequest(delivery);
    return { unit, resolved: await moduleRef.resolve(UnitOfWork, contextId) };
  }
}

it("a handler that asks Nest for its delivery's context gets this delivery's instances", async () => {
  const app = await start(
    aModule('ResolvingModule', { providers: [Clock, UnitOfWork, ...jobs(ResolvingJob)] }),
  );
  const got = await app.deliver<Awaited<ReturnType<ResolvingJob['handle']>>>(ResolvingJob);
  expect(got.resolved).toBe(got.unit);
});

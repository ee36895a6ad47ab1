import { Inject, Injectable, type OnModuleInit, Scope } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { afterEach, describe, expect, it } from 'vitest';
import { OnQueuedEvent, QueuedEvent } from '../../lib/event-emitter.js';
import {
  JobDelivery,
  type JobEvent,
  JobFailedPermanently,
  memory,
  OnJobEvent,
  sync,
} from '../../lib/index.js';
import { Journal } from '../module/support/jobs.js';
import { type ApplicationUnderTest, start, type Under } from './support/application.js';
import { OrderShipped, Plan, UserRegistered } from './support/events.js';

const AT = new Date('2026-02-03T04:05:06.789Z');

let running: ApplicationUnderTest | null = null;

async function open(
  providers: Parameters<typeof start>[0],
  under: Under = {},
): Promise<ApplicationUnderTest> {
  running = await start(providers, under);
  return running;
}

afterEach(async () => {
  await running?.app.close();
  running = null;
});

@Injectable()
class Mails {
  constructor(readonly journal: Journal) {}

  @OnQueuedEvent('user.registered', { queue: 'mail', priority: 5 })
  welcome(event: UserRegistered): void {
    this.journal.write(`${event instanceof UserRegistered}: ${event.greeting()}`);
  }

  @OnQueuedEvent('order.shipped')
  async shipped(event: OrderShipped): Promise<void> {
    await Promise.resolve();
    this.journal.write(`${event instanceof OrderShipped}: ${event.line()}`);
  }
}

@Injectable()
class Statistics {
  constructor(readonly journal: Journal) {}

  @OnQueuedEvent('user.registered', { id: 'count-registrations', delaySeconds: 60 })
  count(event: UserRegistered): void {
    this.journal.write(`counted ${event.userId}`);
  }
}

describe('an event', () => {
  it('pushes one job for each listener, on its queue and with its delay, and runs nothing', async () => {
    const { emitter, queue, journal } = await open([Mails, Statistics], { worker: false });
    await emitter.emitAsync('user.registered', new UserRegistered(1, 'a@b.c', AT));
    expect(await queue.counts('mail')).toMatchObject({ ready: 1, delayed: 0 });
    expect(await queue.counts('default')).toMatchObject({ ready: 0, delayed: 1 });
    expect(journal.lines).toEqual([]);
  });

  it('comes to the worker as an instance of its class, made by its constructor', async () => {
    const { emitter, journal } = await open([Mails]);
    emitter.emit('user.registered', new UserRegistered(7, 'a@b.c', AT, Plan.Paid));
    await journal.has(1);
    expect(journal.lines).toEqual(['true: a@b.c (7, paid) at 2026-02-03T04:05:06.789Z']);
  });

  it('of a class whose constructor takes nothing comes with its own properties', async () => {
    const { emitter, journal } = await open([Mails]);
    const event = new OrderShipped().tag('fragile');
    event.order = 3;
    emitter.emit('order.shipped', event);
    await journal.has(1);
    expect(journal.lines).toEqual(['true: order 3 by nobody, fragile']);
  });

  it('is pushed as it was when it was emitted', async () => {
    @Injectable()
    class Plain {
      constructor(readonly journal: Journal) {}
      @OnQueuedEvent('changed')
      changed(value: { list: number[] }): void {
        this.journal.write(JSON.stringify(value));
      }
    }
    const { emitter, journal } = await open([Plain]);
    const value = { list: [1] };
    emitter.emit('changed', value);
    value.list.push(2);
    await journal.has(1);
    expect(journal.lines).toEqual(['{"list":[1]}']);
  });

  it('carries several values, dates, enums and what `types` names; a missing one is undefined', async () => {
    @Injectable()
    class Many {
      constructor(readonly journal: Journal) {}
      @OnQueuedEvent('many', { types: [null, null, Date, Plan] })
      many(text: string, at: Date, until: Date | null, plan: Plan, rest: unknown): void {
        this.journal.write([text, at.getTime(), until?.getTime(), plan, rest].join(' '));
        this.journal.write([typeof rest, until instanceof Date].join(' '));
      }
    }
    const { emitter, journal } = await open([Many]);
    await emitter.emitAsync('many', 'a', AT, new Date(5), Plan.Paid);
    await journal.has(2);
    await emitter.emitAsync('many', 'b', AT, null, Plan.Free, { deep: [1] }, 'nobody takes it');
    await journal.has(4);
    expect(journal.lines).toEqual([
      `a ${AT.getTime()} 5 paid `,
      'undefined true',
      `b ${AT.getTime()}  free [object Object]`,
      'object false',
    ]);
  });

  it('is heard that another provider emits while the application starts', async () => {
    @Injectable()
    class Early implements OnModuleInit {
      constructor(@Inject(EventEmitter2) readonly emitter: EventEmitter2) {}
      async onModuleInit(): Promise<void> {
        await this.emitter.emitAsync('user.registered', new UserRegistered(1, 'early', AT));
      }
    }
    const { journal } = await open([Early, Mails]);
    await journal.has(1);
    expect(journal.lines).toEqual([expect.stringContaining('early')]);
  });

  it('that a listener emits in the worker is pushed like any other', async () => {
    @Injectable()
    class Chain {
      constructor(
        readonly journal: Journal,
        @Inject(EventEmitter2) readonly emitter: EventEmitter2,
      ) {}
      @OnQueuedEvent('first')
      async first(n: number, { delivery }: QueuedEvent): Promise<void> {
        this.journal.write(`first ${n}`);
        const [id] = (await this.emitter.emitAsync('second', n + 1)) as [string];
        this.journal.write(`pushed ${id !== delivery?.id && /^[0-9a-f]{32}$/.test(id)}`);
      }
      @OnQueuedEvent('second')
      second(n: number): void {
        this.journal.write(`second ${n}`);
      }
    }
    const { emitter, journal } = await open([Chain]);
    emitter.emit('first', 1);
    await journal.has(3);
    expect(journal.lines.toSorted()).toEqual(['first 1', 'pushed true', 'second 2']);
  });
});

describe('a request-scoped listener', () => {
  let made = 0;

  @Injectable({ scope: Scope.REQUEST })
  class PerDelivery {
    readonly n = (made += 1);
    constructor(
      readonly journal: Journal,
      readonly delivery: JobDelivery,
    ) {}

    @OnQueuedEvent('try', { maxAttempts: 2 })
    attempt(word: string, event: QueuedEvent): void {
      const own = event.delivery === this.delivery;
      this.journal.write(
        `${word} ${this.n} attempt ${this.delivery.attempts} of ${this.delivery.name} ${own}`,
      );
      if (this.delivery.attempts === 1) throw new Error('not yet');
    }

    [Symbol.dispose](): void {
      this.journal.write(`disposed ${this.n}`);
    }
  }

  it('is not made where the event is emitted, but once an attempt by the worker, and disposed', async () => {
    made = 0;
    const pushing = await open([PerDelivery], { worker: false });
    await pushing.emitter.emitAsync('try', 'it');
    expect([made, await pushing.queue.size()]).toEqual([0, 1]);
    await pushing.app.close();
    const { emitter, journal } = await open([PerDelivery]);
    emitter.emit('try', 'it');
    await journal.has(4);
    expect(journal.lines).toEqual([
      'it 1 attempt 1 of PerDelivery.attempt true',
      'disposed 1',
      'it 2 attempt 2 of PerDelivery.attempt true',
      'disposed 2',
    ]);
  });
});

describe('a listener with a wildcard', () => {
  @Injectable()
  class Wild {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('order.*')
    any(event: QueuedEvent, order: number): void {
      this.journal.write(`${event.name} ${order}`);
    }
    @OnQueuedEvent(['order', '*', 'late'])
    late(order: number, event: QueuedEvent): void {
      this.journal.write(`late: ${event.name} ${order}`);
    }
  }

  it('gets the name that was emitted', async () => {
    const { emitter, journal } = await open([Wild], { wildcard: true });
    emitter.emit('order.paid', 1);
    emitter.emit(['order', 'shipped'], 2);
    emitter.emit('order.paid.late', 3);
    await journal.has(3);
    expect(journal.lines.toSorted()).toEqual(['late: order.paid.late 3', 'order.paid 1', 'order.shipped 2']);
  });

  it('refuses a name with a symbol, which has no wire form', async () => {
    const { emitter, queue } = await open([Wild], { wildcard: true, worker: false });
    await expect(emitter.emitAsync(['order', Symbol('paid')], 1)).rejects.toThrow(
      'Job Wild.any: argument "event" has no wire form',
    );
    expect(await queue.size()).toBe(0);
  });
});

describe('connections', () => {
  @Injectable()
  class Ledgers {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('paid', { connection: 'ledger' })
    paid(n: number): void {
      this.journal.write(`paid ${n}`);
    }
  }

  it('a listener names one: its jobs go there', async () => {
    const under = { connections: { default: memory(), ledger: memory() }, worker: { connection: 'ledger' } };
    const { emitter, journal, queue } = await open([Ledgers], under);
    const [id] = (await emitter.emitAsync('paid', 1)) as [string];
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await journal.has(1);
    expect([journal.lines, await queue.size()]).toEqual([['paid 1'], 0]);
  });

  it('one that runs jobs inside the push runs the listener inside emitAsync(), with a rebuilt event', async () => {
    const { emitter, journal } = await open([Mails], { connections: { default: sync() }, worker: false });
    const event = new UserRegistered(1, 'a@b.c', AT);
    await emitter.emitAsync('user.registered', event);
    expect(journal.lines).toEqual([`true: ${event.greeting()}`]);
  });
});

describe('what must not be shown', () => {
  it('is redacted where arguments are told: a sensitive argument of the event, or every value', async () => {
    @Injectable()
    class Failing {
      constructor(readonly journal: Journal) {}
      @OnQueuedEvent('user.registered', { id: 'shows' })
      shows(event: UserRegistered): void {
        throw new Error(`token ${event.token} refused for ${event.email}`);
      }
      @OnQueuedEvent('user.registered', { id: 'hides', sensitive: true })
      hides(_event: UserRegistered): void {
        throw new Error('no');
      }
      @OnJobEvent(JobFailedPermanently)
      failed(event: JobEvent & { readonly arguments?: unknown }): void {
        this.journal.write(JSON.stringify(event));
      }
    }
    const { emitter, journal, log } = await open([Failing]);
    emitter.emit('user.registered', new UserRegistered(1, 'a@b.c', AT, Plan.Free, 'a-secret-token'));
    await journal.has(2);
    const told = [...journal.lines, ...log.lines].join('\n');
    expect(told).not.toContain('a-secret-token');
    expect(journal.lines.find((line) => line.includes('"shows"'))).toContain(
      '"payload":{"userId":1,"email":"a@b.c","at":"2026-02-03T04:05:06.789000Z","plan":"free","token":"[redacted]"}',
    );
    expect(journal.lines.find((line) => line.includes('"hides"'))).toContain('"payload":"[redacted]"');
  });
});

describe('closing', () => {
  it('waits for the pushes that emit() began', async () => {
    const held = memory();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let stored = false;
    const { emitter, app } = await open([Mails], {
      worker: false,
      connections: {
        default: async (context) => {
          const backend = await held(context);
          const store = backend.store.bind(backend);
          return Object.assign(backend, {
            store: async (...args: Parameters<typeof store>) => {
              await gate;
              const outcomes = await store(...args);
              stored = true;
              return outcomes;
            },
          });
        },
      },
    });
    emitter.emit('user.registered', new UserRegistered(1, 'a@b.c', AT));
    const closing = app.close();
    setImmediate(release);
    await closing;
    running = null;
    expect(stored).toBe(true);
  });
});

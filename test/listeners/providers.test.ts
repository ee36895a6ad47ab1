import { Controller, Injectable, Module, Scope } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import { afterEach, expect, it } from 'vitest';
import { KinetisQueueListenersModule, OnQueuedEvent, QueuedEvent } from '../../lib/event-emitter.js';
import { JobDelivery, KinetisQueueModule, memory, Queue } from '../../lib/index.js';
import { Journal } from '../module/support/jobs.js';
import { type ApplicationUnderTest, start } from './support/application.js';

let running: ApplicationUnderTest | null = null;

afterEach(async () => {
  await running?.app.close();
  running = null;
});

@Injectable()
class Plain {
  constructor(readonly journal: Journal) {}
  @OnQueuedEvent('it')
  heard(n: number, { delivery }: QueuedEvent): void {
    this.journal.write(`${delivery?.name} ${n}`);
  }
}

it('a provider that a factory gives is a listener as its class', async () => {
  running = await start([
    { provide: 'made', inject: [Journal], useFactory: async (journal: Journal) => new Plain(journal) },
  ]);
  running.emitter.emit('it', 1);
  await running.journal.has(1);
  expect(running.journal.lines).toEqual(['Plain.heard 1']);
});

it('a method may listen to two events, each under an id of its own', async () => {
  @Injectable()
  class Both {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('a', { id: 'on-a' })
    @OnQueuedEvent('b', { id: 'on-b' })
    heard(n: number, { name, delivery }: QueuedEvent): void {
      this.journal.write(`${delivery?.name} ${name} ${n}`);
    }
  }
  running = await start([Both]);
  await running.emitter.emitAsync('a', 1);
  await running.emitter.emitAsync('b', 2);
  await running.journal.has(2);
  expect(running.journal.lines).toEqual(['on-a a 1', 'on-b b 2']);
});

class Greeting {
  constructor(readonly name: string) {}
  text(): string {
    return `hello ${this.name}`;
  }
}

@Injectable()
class Greetings {
  constructor(readonly journal: Journal) {}
  @OnQueuedEvent('greeting')
  heard(event: Greeting, { delivery }: QueuedEvent): void {
    this.journal.write(`${delivery?.name} ${event.text()}`);
  }
}

it('an override listens in place of the method of its superclass, with the types of that', async () => {
  @Injectable()
  class Child extends Greetings {
    override heard(event: Greeting): void {
      this.journal.write(`child: ${event.text()}`);
    }
  }
  running = await start([Child]);
  await running.emitter.emitAsync('greeting', new Greeting('Ada'));
  await running.journal.has(1);
  expect(running.journal.lines).toEqual(['child: hello Ada']);
});

it('an override that is marked anew listens as it says, and no longer as its superclass did', async () => {
  @Injectable()
  class Child extends Greetings {
    @OnQueuedEvent('other', { queue: 'others' })
    override heard(event: Greeting, queued: QueuedEvent): void {
      super.heard(event, queued);
    }
  }
  running = await start([Child]);
  expect(await running.emitter.emitAsync('greeting', new Greeting('nobody'))).toEqual([]);
  await running.emitter.emitAsync('other', new Greeting('Ada'));
  await running.journal.has(1);
  expect(running.journal.lines).toEqual(['Child.heard hello Ada']);
});

it('a job of a former id is run by the listener that names it as an alias', async () => {
  @Injectable()
  class Renamed {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('new', { aliases: ['Plain.heard'] })
    heard(n: number): void {
      this.journal.write(`renamed ${n}`);
    }
  }
  const shared = memory();
  let backend: ReturnType<typeof shared> | null = null;
  const connections = { default: (context: Parameters<typeof shared>[0]) => (backend ??= shared(context)) };
  const old = await start([Plain], { connections, worker: false });
  await old.emitter.emitAsync('it', 4);
  // Not closed yet: that would end the store.
  running = await start([Renamed], { connections });
  await running.journal.has(1);
  expect(running.journal.lines).toEqual(['renamed 4']);
  await old.app.close();
});

it('a request-scoped controller is a listener like any provider', async () => {
  @Controller({ scope: Scope.REQUEST })
  class Calls {
    constructor(
      readonly journal: Journal,
      readonly delivery: JobDelivery,
    ) {}
    @OnQueuedEvent('it')
    heard(n: number): void {
      this.journal.write(`${this.delivery.name} ${n}`);
    }
  }
  @Module({ controllers: [Calls], providers: [Journal], exports: [Journal] })
  class CallsModule {}
  running = await start([], { imports: [CallsModule] });
  const journal = running.app.select(CallsModule).get(Journal);
  running.emitter.emit('it', 5);
  await journal.has(1);
  expect(journal.lines).toEqual(['Calls.heard 5']);
});

it('a queue that a test puts in place of the real one gets the jobs, and only when an event comes', async () => {
  @Module({
    imports: [
      EventEmitterModule.forRoot(),
      KinetisQueueModule.forRoot({ connections: { default: memory() } }),
      KinetisQueueListenersModule,
    ],
    providers: [Journal, Plain],
  })
  class AppModule {}
  const pushed: unknown[] = [];
  const asked: unknown[] = [];
  const push = (job: unknown, options: unknown): void => void pushed.push([job, options]);
  const fake = new Proxy({ push }, { get: (target, key) => (asked.push(key), Reflect.get(target, key)) });
  const app = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Queue)
    .useValue(fake)
    .compile();
  await app.init();
  try {
    expect(asked).not.toContain('push');
    await app.get(EventEmitter2).emitAsync('it', 6);
    expect(pushed).toEqual([[expect.objectContaining({ event: 'it', payload: 6 }), { delaySeconds: 0 }]]);
  } finally {
    await app.close();
  }
});

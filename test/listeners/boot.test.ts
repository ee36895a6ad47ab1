import { Injectable, Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { afterEach, describe, expect, it } from 'vitest';
import { OnQueuedEvent, QueuedEvent } from '../../lib/event-emitter.js';
import { JobDeclarationException, JobDelivery, KinetisQueueModule, memory } from '../../lib/index.js';
import { Journal } from '../module/support/jobs.js';
import { type ApplicationUnderTest, open, start } from './support/application.js';

let running: ApplicationUnderTest | null = null;

afterEach(async () => {
  await running?.app.close();
  running = null;
});

class Base {
  constructor(readonly n: number) {}
}

@Injectable()
class First {
  @OnQueuedEvent('it', { id: 'one' })
  heard(_base: Base): void {}
}

@Injectable()
class Second {
  @OnQueuedEvent('other', { id: 'one' })
  heard(): void {}
}

@Injectable()
class Twice {
  @OnQueuedEvent('a')
  @OnQueuedEvent('b')
  heard(): void {}
}

@Injectable()
class Ab {
  @OnQueuedEvent('it')
  heard(): void {}
}

@Injectable()
class Elsewhere {
  @OnQueuedEvent('it', { connection: 'legder' })
  heard(): void {}
}

@Injectable()
class Rest {
  @OnQueuedEvent('it')
  heard(..._values: unknown[]): void {}
}

@Injectable()
class Delivered {
  @OnQueuedEvent('it')
  heard(_n: number, _delivery: JobDelivery): void {}
}

@Injectable()
class Mapped {
  @OnQueuedEvent('it')
  heard(_map: Map<string, string>): void {}
}

class Unreadable {
  readonly sum: number;
  constructor(a: number, b: number) {
    this.sum = a + b;
  }
}

@Injectable()
class Summed {
  @OnQueuedEvent('it')
  heard(_event: Unreadable): void {}
}

@Injectable()
class Circular {
  @OnQueuedEvent('it', { types: [undefined as unknown as null] })
  heard(_n: number): void {}
}

@Injectable()
class Overfull {
  @OnQueuedEvent('it', { types: [null, null] as readonly null[] })
  heard(_n: number): void {}
}

describe('an application does not start', () => {
  it.each<[string, (new () => object)[], string]>([
    [
      'with two listeners of one id',
      [First, Second],
      'First.heard() of AppModule and Second.heard() of AppModule both have "one"',
    ],
    ['with a method that listens twice under one id', [Twice], 'both have "Twice.heard"'],
    ['with a class that looks minified', [Ab], 'Queued listener "Ab.heard": a class name this short'],
    [
      'with an unknown connection',
      [Elsewhere],
      'Job Elsewhere.heard: connection: expected one of "default", came "legder"',
    ],
    [
      'with a parameter that gathers the rest',
      [Rest],
      'Listener Rest.heard: expected a parameter for each value',
    ],
    [
      'with a parameter that is a delivery',
      [Delivered],
      'Listener Delivered.heard, parameter 2: expected a value of the event, came JobDelivery',
    ],
    [
      'with a type that has no wire form',
      [Mapped],
      'Listener Mapped.heard: event class Map: expected a type that has a wire form, came Map',
    ],
    [
      'with an event class whose arguments cannot be read',
      [Summed],
      'Listener Summed.heard: event class Unreadable: a constructor argument is read back',
    ],
    [
      'with a type that is undefined',
      [Circular],
      'Listener Circular.heard, parameter 1: its entry of types is undefined',
    ],
    [
      'with more types than parameters',
      [Overfull],
      'Listener Overfull.heard: types: expected at most 1 entries',
    ],
  ])('%s', async (_what, providers, message) => {
    const starting = start(providers, { worker: false });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.toBeInstanceOf(JobDeclarationException);
  });

  it('with a class that two modules provide', async () => {
    @Module({ providers: [First] })
    class OtherModule {}
    await expect(start([First], { worker: false, imports: [OtherModule] })).rejects.toThrow(
      'a class that two modules provide belongs to one, which exports it',
    );
  });
});

it('a short name of a method is fine, one of a class with an id, and an alias of a provider is no second listener', async () => {
  @Injectable()
  class Ok {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('it', { id: 'ok' })
    h(event: QueuedEvent): void {
      this.journal.write(`${event.delivery?.name}`);
    }
  }
  running = await start([Ok, { provide: 'again', useExisting: Ok }]);
  running.emitter.emit('it');
  await running.journal.has(1);
  expect(running.journal.lines).toEqual(['ok']);
});

it('a listener of a superclass listens as each class that is provided', async () => {
  @Injectable()
  class Parent {
    constructor(readonly journal: Journal) {}
    @OnQueuedEvent('it')
    heard({ delivery }: QueuedEvent): void {
      this.journal.write(`${delivery?.name}`);
    }
  }
  @Injectable()
  class Child extends Parent {}
  running = await start([Parent, Child]);
  running.emitter.emit('it');
  await running.journal.has(2);
  expect(running.journal.lines.toSorted()).toEqual(['Child.heard', 'Parent.heard']);
});

it('without KinetisQueueListenersModule a warning names the listeners that nothing reaches', async () => {
  @Module({
    imports: [
      EventEmitterModule.forRoot(),
      KinetisQueueModule.forRoot({ connections: { default: memory() } }),
    ],
    providers: [Journal, First],
  })
  class AppModule {}
  running = await open(AppModule);
  expect(running.log.lines).toContain(
    'warn: No event of this process reaches the queued listeners one: import KinetisQueueListenersModule, of the subpath ' +
      './event-emitter, in the application.',
  );
});

describe('@OnQueuedEvent refuses', () => {
  const listen = (event: unknown, options: object): void => {
    class Listener {
      heard(): void {}
    }
    const descriptor = Object.getOwnPropertyDescriptor(Listener.prototype, 'heard') as PropertyDescriptor;
    OnQueuedEvent(event as string, options)(Listener.prototype, 'heard', descriptor);
  };

  it.each<[string, unknown, object, string]>([
    ['a symbol', Symbol('it'), {}, 'came a symbol, which has no wire form'],
    ['an empty name', '', {}, 'expected the name of an event'],
    ['no segment', [], {}, 'expected the name of an event'],
    ['an unknown option', 'it', { queu: 'mail' }, '{ queu }) is no option. Known are id, aliases, queue'],
    ['a name, which is the id', 'it', { name: 'x' }, '{ name }) is no option'],
    ['an id that is empty', 'it', { id: '' }, '{ id }): expected a non-empty well-formed string'],
    ['a queue with a bad name', 'it', { queue: 'a b' }, '{ queue }): expected 1 to 80'],
    ['a delay below 0', 'it', { delaySeconds: -1 }, '{ delaySeconds }): expected 0 or a positive'],
    ['a cap below 0', 'it', { maxAttempts: -1 }, '{ maxAttempts }): expected null'],
    ['a backoff of text', 'it', { backoff: '3' }, '{ backoff }): expected 0 or a positive'],
    ['inline as text', 'it', { inline: 'yes' }, '{ inline }): expected true or false'],
    ['sensitive as text', 'it', { sensitive: 'yes' }, '{ sensitive }): expected true or false'],
    ['types that are no list', 'it', { types: Date }, '{ types }): expected an array of types'],
  ])('%s', (_what, event, options, message) => {
    expect(() => listen(event, options)).toThrow(message);
    expect(() => listen(event, options)).toThrow(JobDeclarationException);
  });

  it('a static method', () => {
    class Listener {
      static heard(): void {}
    }
    const descriptor = Object.getOwnPropertyDescriptor(Listener, 'heard') as PropertyDescriptor;
    expect(() => OnQueuedEvent('it')(Listener, 'heard', descriptor)).toThrow(
      'Class Listener: @OnQueuedEvent() is on the static heard()',
    );
  });
});

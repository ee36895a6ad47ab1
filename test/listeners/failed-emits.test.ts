import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OnQueuedEvent } from '../../lib/event-emitter.js';
import { memory, OutcomeUnknown, sync, UnserializableJobException } from '../../lib/index.js';
import { waitFor } from '../support/eventually.js';
import { Journal } from '../module/support/jobs.js';
import { type ApplicationUnderTest, start, type Under } from './support/application.js';
import { UserRegistered } from './support/events.js';

let running: ApplicationUnderTest | null = null;
const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', keep);
});

afterEach(async () => {
  process.off('unhandledRejection', keep);
  await running?.app.close();
  running = null;
});

async function open(
  providers: Parameters<typeof start>[0],
  under: Under = {},
): Promise<ApplicationUnderTest> {
  running = await start(providers, { worker: false, ...under });
  return running;
}

/** Every push is answered like this. */
const broken = (error: Error): NonNullable<Under['connections']> => ({
  async default(context) {
    const backend = await memory()(context);
    const store = async (): Promise<never> => {
      throw error;
    };
    return Object.assign(backend, { store });
  },
});

@Injectable()
class Users {
  constructor(readonly journal: Journal) {}

  @OnQueuedEvent('user.registered')
  registered(event: UserRegistered): void {
    this.journal.write(event.email);
  }

  @OnEvent('user.registered')
  here(): void {
    this.journal.write('here');
  }
}

/** The next turns of the event loop, in which an unhandled rejection would show. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

const user = (): UserRegistered => new UserRegistered(1, 'a@b.c', new Date());

describe('a push that fails', () => {
  it('rejects emitAsync() with its error, and other listeners get the event', async () => {
    const error = new OutcomeUnknown('The reply was lost.');
    const { emitter, journal } = await open([Users], { connections: broken(error) });
    await expect(emitter.emitAsync('user.registered', user())).rejects.toBe(error);
    expect(journal.lines).toEqual(['here']);
  });

  it('is logged where emit() has nobody to tell, and ends no process', async () => {
    const { emitter, log } = await open([Users], { connections: broken(new OutcomeUnknown('Lost.')) });
    expect(emitter.emit('user.registered', user())).toBe(true);
    const line = await waitFor('a line', () => log.lines.find((each) => each.startsWith('error: ')));
    expect(line).toBe('error: Listener Users.registered: its push failed for "user.registered". Lost.');
    await turns();
    expect(unhandled).toEqual([]);
  });

  it('ends no process either where the logger throws', async () => {
    const { emitter, log } = await open([Users], { connections: broken(new OutcomeUnknown('Lost.')) });
    log.error = () => {
      throw new Error('no disk');
    };
    emitter.emit('user.registered', user());
    await turns();
    expect(unhandled).toEqual([]);
  });
});

describe('a value without a wire form', () => {
  @Injectable()
  class Plain {
    @OnQueuedEvent('any')
    any(_value: { readonly n: number }): void {}
    @OnQueuedEvent('text')
    text(_text: string, _at: Date): void {}
  }

  it.each<[string, string, readonly unknown[], string]>([
    ['an instance for a plain type', 'any', [user()], 'payload is an instance of a class'],
    ['a Date for a plain type', 'any', [new Date()], 'payload is a Date'],
    ['a Date inside', 'any', [{ list: [1, new Date()] }], 'payload.{0}[1] is a Date'],
    ['a function', 'any', [() => 1], 'payload is a function'],
    ['a number for text', 'text', [1], 'payload is a number where a string is expected'],
    ['text for a Date', 'text', ['a', 'b'], 'payload2 is a string where a Date is expected'],
    [
      'a plain object for an event class',
      'user.registered',
      [{ userId: 1 }],
      'payload is an object where an instance of UserRegistered is expected',
    ],
    [
      'an instance of a subclass',
      'user.registered',
      [new (class Admin extends UserRegistered {})(1, 'a', new Date())],
      'payload is an instance of a subclass where an instance of UserRegistered is expected',
    ],
  ])('is refused: %s', async (_what, event, values, message) => {
    const { emitter, queue } = await open([Users, Plain]);
    const emitting = emitter.emitAsync(event, ...values);
    await expect(emitting).rejects.toBeInstanceOf(UnserializableJobException);
    await expect(emitting).rejects.toThrow(`${message}. Emit wire values, or an instance of the very class`);
    expect(await queue.size()).toBe(0);
  });

  it.each<[string, unknown, string]>([
    [
      'an argument of an event class',
      new UserRegistered(1, 'a', new Date(Number.NaN)),
      'Job Users.registered, event class UserRegistered: argument "at" has no wire form: at is an invalid Date',
    ],
    [
      'a sensitive one, without its place',
      new UserRegistered(1, 'a', new Date(), undefined, { deep: [new Map()] } as unknown as string),
      'argument "token" has no wire form. It is sensitive: what came is not told.',
    ],
  ])('is refused: %s', async (_what, event, message) => {
    const { emitter } = await open([Users]);
    await expect(emitter.emitAsync('user.registered', event)).rejects.toThrow(message);
  });

  it('is refused with what helps where the event class has no decorator, and so no types', async () => {
    class Undecorated {
      constructor(readonly at: Date) {}
      text(): string {
        return String(this.at);
      }
    }
    @Injectable()
    class Late {
      @OnQueuedEvent('late')
      late(_event: Undecorated): void {}
    }
    const { emitter } = await open([Late]);
    await expect(emitter.emitAsync('late', new Undecorated(new Date()))).rejects.toThrow(
      'event class Undecorated: argument "at" has no wire form: at is a Date. No types were emitted for its constructor: ' +
        'TypeScript emits them for a class with a decorator only. Put @Arg(Date) on a Date',
    );
  });

  it('is told without its place by a listener that is sensitive', async () => {
    @Injectable()
    class Secret {
      @OnQueuedEvent('user.registered', { sensitive: true })
      secret(_event: UserRegistered): void {}
    }
    const { emitter } = await open([Secret]);
    const event = new UserRegistered(1, 'a', new Date(Number.NaN));
    const emitting = emitter.emitAsync('user.registered', event);
    await expect(emitting).rejects.toThrow(
      /^Job Secret\.secret: argument "payload" has no wire form\. It is sensitive/,
    );
    await expect(emitting).rejects.not.toThrow('"at"');
  });
});

it('the error of a listener that the push runs is that of emitAsync()', async () => {
  const thrown = new RangeError('by the listener');
  @Injectable()
  class Throwing {
    @OnQueuedEvent('any')
    any(): void {
      throw thrown;
    }
  }
  const { emitter } = await open([Throwing], { connections: { default: sync() } });
  await expect(emitter.emitAsync('any')).rejects.toBe(thrown);
});

import { describe, expect, it } from 'vitest';
import { OnQueuedEvent, QueuedEvent } from '../../lib/event-emitter.js';
import { Arg, JobReconstructionException, UnserializableJobException } from '../../lib/index.js';
import { encodeArguments, rebuildJob } from '../../lib/jobs/index.js';
import { defineListenerJob } from '../../lib/listeners/listener-job.js';
import { listenerParameters } from '../../lib/listeners/listener-parameters.js';
import { queuedEventMarks } from '../../lib/listeners/on-queued-event.decorator.js';

class Invited {
  constructor(
    readonly email: string,
    @Arg(Date) readonly until: Date | null,
    readonly by = 'nobody',
  ) {}

  mine(): boolean {
    return this.by === 'me';
  }
}

class Bag {
  size = 1;
  label?: string;
}

class Sealed {
  readonly kind = 'sealed';
  constructor() {
    Object.freeze(this);
  }
}

class Guarded {
  constructor(readonly n: number) {
    if (n < 0) throw new RangeError('negative');
  }

  twice(): number {
    return this.n * 2;
  }
}

/** The job of the only listener of a class. */
function jobOf(listener: abstract new () => object) {
  const [mark] = queuedEventMarks(listener.prototype as object);
  if (mark === undefined) throw new Error('Expected a listener.');
  const { method, options } = mark;
  const id = `${listener.name}.${method}`;
  const parameters = listenerParameters(listener.prototype as object, method, options.types ?? [], id);
  const definition = defineListenerJob(id, { method, parameters }, options);
  return {
    push: (...values: readonly unknown[]) =>
      encodeArguments(definition, new definition.target('it', ...values)),
    /** What the listener is called with. */
    async run(args: Parameters<typeof rebuildJob>[1]): Promise<readonly unknown[]> {
      let came: readonly unknown[] = [];
      const provider = { [method]: (...values: unknown[]) => void (came = values) };
      await rebuildJob(definition, args).handle(provider, null);
      return came;
    },
  };
}

class Invitations {
  @OnQueuedEvent('it')
  invited(_event: Invited): void {}
}
class Bags {
  @OnQueuedEvent('it')
  packed(_bag: Bag): void {}
}
class Seals {
  @OnQueuedEvent('it')
  sealed(_event: Sealed): void {}
}
class Guards {
  @OnQueuedEvent('it')
  guarded(_event: Guarded): void {}
}
class Hidden {
  @OnQueuedEvent('it', { sensitive: true })
  guarded(_event: Guarded): void {}
}

describe('an event class', () => {
  const until = new Date('2026-01-02T03:04:05.678Z');

  it('travels by its arguments under the names of its properties', async () => {
    const job = jobOf(Invitations);
    const args = job.push(new Invited('a@b.c', until, 'me'));
    expect(args).toEqual({
      event: 'it',
      payload: { email: 'a@b.c', until: '2026-01-02T03:04:05.678000Z', by: 'me' },
    });
    const [event] = await job.run(args);
    expect(event).toEqual(new Invited('a@b.c', until, 'me'));
    expect(event).toBeInstanceOf(Invited);
  });

  it('may be null, or left out', async () => {
    const job = jobOf(Invitations);
    expect(await job.run(job.push(null))).toEqual([null]);
    expect(job.push(undefined)).toEqual({ event: 'it' });
    expect(await job.run({ event: 'it' })).toEqual([undefined]);
  });

  it.each<[string, object, string]>([
    ['an argument that is missing', { email: 'a' }, 'missing-argument'],
    ['an argument of former code', { email: 'a', until: null, age: 1 }, 'extra-argument'],
    ['text that is no time', { email: 'a', until: 'soon' }, 'argument-refused'],
    ['a list', [1], 'argument-type'],
  ])('of today refuses %s', async (_what, payload, reason) => {
    const running = jobOf(Invitations).run({ event: 'it', payload: payload as never });
    await expect(running).rejects.toBeInstanceOf(JobReconstructionException);
    await expect(running).rejects.toMatchObject({ reason });
  });

  it('of today takes what older code sent, where a new argument has a default', async () => {
    const job = jobOf(Invitations);
    const [event] = await job.run({ event: 'it', payload: { email: 'a', until: null } });
    expect(event).toEqual(new Invited('a', null));
  });

  it('whose constructor throws is a failed rebuild', async () => {
    await expect(jobOf(Guards).run({ event: 'it', payload: { n: -1 } })).rejects.toMatchObject({
      reason: 'constructor-threw',
      message: expect.stringContaining(
        'Job Guards.guarded, event class Guarded: the constructor threw (RangeError)',
      ),
    });
  });

  it('of a sensitive listener is refused without a word on its inside', async () => {
    const running = jobOf(Hidden).run({ event: 'it', payload: { m: 1 } });
    await expect(running).rejects.toThrow('it is sensitive: what came is not told');
    await expect(running).rejects.not.toThrow(/"n"|"m"/);
  });
});

describe('an event class whose constructor takes nothing', () => {
  it('travels by its own properties, but for those that are undefined', async () => {
    const job = jobOf(Bags);
    const bag = Object.assign(new Bag(), { size: 3, more: [1] });
    const args = job.push(bag);
    expect(args).toEqual({ event: 'it', payload: { size: 3, more: [1] } });
    const [made] = await job.run(args);
    expect(made).toBeInstanceOf(Bag);
    expect(made).toEqual(bag);
  });

  it('keeps a property named like its prototype as data', async () => {
    const payload = JSON.parse('{"__proto__": {"admin": true}, "size": 2}') as object;
    const [made] = await jobOf(Bags).run({ event: 'it', payload: payload as never });
    expect(Object.getPrototypeOf(made)).toBe(Bag.prototype);
    expect(Object.getOwnPropertyDescriptor(made, '__proto__')?.value).toEqual({ admin: true });
  });

  it('refuses a property that has no wire form, and one that its instances do not take', async () => {
    expect(() => jobOf(Bags).push(Object.assign(new Bag(), { at: new Date() }))).toThrow(
      UnserializableJobException,
    );
    await expect(jobOf(Seals).run({ event: 'it', payload: { kind: 'open' } })).rejects.toMatchObject({
      reason: 'argument-refused',
    });
  });
});

describe('a toolchain that emits no types', () => {
  it('names event classes, dates and the event itself by `types`', async () => {
    class Untyped {
      heard(_event: Invited, _queued: QueuedEvent, _until: Date, _rest = 1): void {}
    }
    const descriptor = Object.getOwnPropertyDescriptor(Untyped.prototype, 'heard') as TypedPropertyDescriptor<
      Untyped['heard']
    >;
    OnQueuedEvent('it', { types: [Invited, QueuedEvent, Date] })(Untyped.prototype, 'heard', descriptor);
    const job = jobOf(Untyped);
    const args = job.push(new Invited('a', null), new Date(0), 2);
    expect(args).toMatchObject({ payload2: '1970-01-01T00:00:00.000000Z', payload3: 2 });
    expect(await job.run(args)).toEqual([
      new Invited('a', null),
      new QueuedEvent('it', null),
      new Date(0),
      2,
    ]);
  });
});

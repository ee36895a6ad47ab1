import { Optional } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { InvalidQueueArgumentException, JobDeclarationException } from '../../lib/contract/index.js';
import {
  Arg,
  encodeArguments,
  Handle,
  isJobClass,
  Job,
  jobDefinition,
  jobDefinitionOf,
  JobRegistry,
  rebuildJob,
  redactArguments,
  Sensitive,
  uniqueKeyOf,
  type JobInstance,
  type JobOptions,
} from '../../lib/jobs/index.js';

@Job({ queue: 'mail', maxAttempts: 5, backoff: [10, 60, 300], aliases: ['SendWelcomeMail'] })
class SendWelcomeEmail {
  constructor(
    readonly email: string,
    @Sensitive() private readonly token: string,
    readonly at: Date,
    @Optional() readonly note?: string,
    readonly tries = 3,
  ) {}

  @Handle()
  handle(): string {
    return this.token;
  }
}

/** Through JSON text, as every backend carries it. */
function roundTrip(job: JobInstance): JobInstance {
  const definition = jobDefinitionOf(job);
  return rebuildJob(definition, JSON.parse(JSON.stringify(encodeArguments(definition, job))));
}

const planOf = (target: unknown): unknown[] =>
  jobDefinition(target).args.map(({ parameter, sensitive, optional }) => [parameter, sensitive, optional]);

describe('@Job()', () => {
  it('reads what a class declares, once, with defaults for the rest', () => {
    const definition = jobDefinition(SendWelcomeEmail);
    expect(definition).toMatchObject({
      target: SendWelcomeEmail,
      name: 'SendWelcomeEmail',
      aliases: ['SendWelcomeMail'],
      queue: 'mail',
      connection: null,
      maxAttempts: 5,
      backoff: [10, 60, 300],
      priority: 0,
      leaseSeconds: null,
      timeoutSeconds: null,
      inject: null,
    });
    expect(jobDefinition(SendWelcomeEmail)).toBe(definition);
    expect(planOf(SendWelcomeEmail)).toEqual([
      ['email', false, false],
      ['token', true, false],
      ['at', false, false],
      ['note', false, true],
      ['tries', false, true],
    ]);
  });

  it('carries the arguments of an instance to an equal one, and leaves out what is undefined', () => {
    const job = new SendWelcomeEmail('a@b.c', 'secret', new Date(5));
    expect(encodeArguments(jobDefinitionOf(job), job)).toEqual({
      email: 'a@b.c',
      token: 'secret',
      at: '1970-01-01T00:00:00.005000Z',
      tries: 3,
    });
    expect(roundTrip(job)).toEqual(job);
  });

  it('serves a renamed class by its aliases', () => {
    const registry = new JobRegistry();
    registry.add(jobDefinition(SendWelcomeEmail));
    const stored = encodeArguments(
      jobDefinition(SendWelcomeEmail),
      new SendWelcomeEmail('a', 'b', new Date(0)),
    );
    const renamed = registry.find('SendWelcomeMail');
    expect(renamed && rebuildJob(renamed, stored)).toBeInstanceOf(SendWelcomeEmail);
  });

  const refused: readonly (readonly [what: string, options: object, message: RegExp])[] = [
    ['an unknown option', { queu: 'mail' }, /queu }\) is no option\. Known are name, aliases, queue/],
    ['a bad queue', { queue: 'a b' }, /queue }\): expected 1 to 80 of the characters.*came "a b"/],
    ['a bad connection', { connection: '' }, /connection }\): expected 1 to 80/],
    ['an empty name', { name: '' }, /name }\): expected a non-empty.*came an empty string/],
    ['a broken name', { name: 'a\ud800' }, /name }\): expected a non-empty well-formed string/],
    ['aliases that are none', { aliases: 'Old' }, /aliases }\): expected an array of former names/],
    ['an alias that is none', { aliases: [''] }, /aliases }\): expected non-empty/],
    ['negative attempts', { maxAttempts: -1 }, /maxAttempts }\): expected null.*came -1/],
    [
      'a priority out of range',
      { priority: 101 },
      /priority }\): expected an integer from -100 to 100, came 101/,
    ],
    ['no lease', { leaseSeconds: 0 }, /leaseSeconds }\): expected a positive finite number/],
    ['a timeout without end', { timeoutSeconds: Infinity }, /timeoutSeconds }\): expected a positive finite/],
    ['a negative backoff', { backoff: -1 }, /backoff }\): expected 0 or a positive finite number.*came -1/],
    ['an empty backoff', { backoff: [] }, /backoff }\): expected at least one number/],
    ['a backoff with a hole', { backoff: [1, NaN] }, /backoff }\), entry: expected 0 or a positive/],
    ['a backoff without base', { backoff: { factor: 2 } }, /backoff }\), base: expected.*came undefined/],
    [
      'a backoff that shrinks',
      { backoff: { base: 1, factor: 0.5 } },
      /factor: expected a number of 1 or more/,
    ],
    ['too much jitter', { backoff: { base: 1, jitter: 2 } }, /jitter: expected a number from 0 to 1/],
    [
      'a backoff with a typing error',
      { backoff: { base: 1, maximum: 2 } },
      /expected base, factor, max, jitter only/,
    ],
    ['args that are no list', { args: 'a' }, /args }\): expected an array of names/],
    ['inject that is no list', { inject: {} }, /inject }\): expected an array of tokens/],
  ];
  it.each(refused)('refuses %s', (_what, options, message) => {
    class Mail {
      handle(): void {}
    }
    const decorate = (): void => Job(options as JobOptions)(Mail);
    expect(decorate).toThrow(JobDeclarationException);
    expect(decorate).toThrow(message);
    expect(decorate).toThrow(/^Job class Mail: /);
  });

  it.each([0, 5, [1, 2], { base: 2, factor: 2, max: 9, jitter: 0.5 }, () => 4])(
    'takes a backoff %#',
    (backoff) => {
      class Mail {
        handle(): void {}
      }
      Job({ backoff })(Mail);
      expect(jobDefinition(Mail).backoff).toBe(backoff);
    },
  );

  it('refuses a class without handle(), without a name, or decorated twice', () => {
    class Idle {}
    expect(() => Job()(Idle as never)).toThrow(/^Job class Idle has no method handle\(\)/);
    expect(() =>
      Job()(
        (() =>
          class {
            handle(): void {}
          })(),
      ),
    ).toThrow(/no name.*@Job\(\{ name/);
    expect(() => Job()(SendWelcomeEmail)).toThrow(/SendWelcomeEmail is decorated with @Job\(\) twice/);
  });
});

describe('inheritance', () => {
  abstract class Base {
    constructor(
      protected readonly tenant: string,
      @Sensitive() protected readonly token: string,
      @Arg(Date) protected readonly due: Date | null = null,
    ) {}
    @Handle() handle(): string {
      return this.token;
    }
  }

  @Job()
  class Direct extends Base {}

  @Job()
  class Passing<T> extends Base {
    constructor(
      tenant: string,
      token: string,
      readonly items: T[],
      due?: Date | null,
    ) {
      super(tenant, token, due);
    }
  }

  class Undecorated extends Direct {}

  it('takes arguments, secrecy and codecs of the superclass, without and with a constructor', () => {
    expect(planOf(Direct)).toEqual([
      ['tenant', false, false],
      ['token', true, false],
      ['due', false, true],
    ]);
    expect(planOf(Passing)).toEqual([
      ['tenant', false, false],
      ['token', true, false],
      ['items', false, false],
      ['due', false, true],
    ]);
    const jobs = [new Direct('a', 'b', new Date(1)), new Passing('a', 'b', [1, { x: 2 }], new Date(2))];
    for (const job of jobs) expect(roundTrip(job)).toEqual(job);
  });

  it('makes no job of a subclass that is not decorated itself', () => {
    expect([isJobClass(Direct), isJobClass(Undecorated), isJobClass(Base), isJobClass(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(() => jobDefinitionOf(new Undecorated('a', 'b'))).toThrow(
      'Class Undecorated extends the job Direct but is not decorated itself. Add @Job() to it.',
    );
  });
});

describe('jobDefinitionOf()', () => {
  it('goes by the class, whatever the arguments are named', () => {
    @Job()
    class Odd {
      constructor(override_: string) {
        Reflect.set(this, 'unused', 1);
        this.value = override_;
      }
      readonly value: string;
      @Handle() handle(): void {}
    }
    const job = Object.assign(new Odd('x'), { constructor: SendWelcomeEmail });
    expect(jobDefinitionOf(job).target).toBe(Odd);
  });

  it.each([
    ['a plain object', { handle: () => 1 }],
    ['an object without a prototype', Object.create(null)],
    ['null', null],
    ['text', 'SendMail'],
  ])('refuses %s', (_what, value) => {
    expect(() => jobDefinitionOf(value)).toThrow(JobDeclarationException);
    expect(() => jobDefinitionOf(value)).toThrow(/Expected an instance of a class decorated with @Job\(\)/);
  });

  it('refuses a class in place of an instance, and an instance of a class without @Job()', () => {
    expect(() => jobDefinitionOf(SendWelcomeEmail)).toThrow(JobDeclarationException);
    expect(() => jobDefinitionOf(new Map())).toThrow(
      'Class Map is not decorated with @Job(). Add @Job() to it.',
    );
  });
});

describe('decorators in the wrong place', () => {
  class Mail {
    static handle(): void {}
    handle(): void {}
    run(): void {}
  }
  it.each([
    [
      '@Handle() on another method',
      () => Handle()(Mail.prototype, 'run' as 'handle', {}),
      /^Class Mail: @Handle\(\) is on run\(\)/,
    ],
    [
      '@Handle() on a static method',
      () => Handle()(Mail, 'handle', {}),
      /^Class Mail: @Handle\(\) is on the static handle/,
    ],
    [
      '@Sensitive() on a method',
      () => Sensitive()(Mail.prototype as never, 'run' as never, 0),
      /@Sensitive\(\) is on a parameter of run\(\)/,
    ],
    [
      '@Arg() on a method',
      () => Arg(Date)(Mail.prototype as never, 'run' as never, 0 as never),
      /@Arg\(\) is on a parameter of run\(\)/,
    ],
    [
      '@Arg() of nothing',
      () => Arg(undefined as never)(Mail, undefined, 1 as never),
      /constructor parameter 2: @Arg\(\) came with undefined.*circle of imports/,
    ],
    [
      '@Arg() of a class',
      () => Arg(Map as never)(Mail, undefined, 0 as never),
      /@Arg\(\) expects Date.*it came with Map\./,
    ],
    [
      '@Arg() of an empty object',
      () => Arg({} as never)(Mail, undefined, 0 as never),
      /it came with a value of type object/,
    ],
  ])('%s is refused', (_what, decorate, message) => {
    expect(decorate).toThrow(JobDeclarationException);
    expect(decorate).toThrow(message);
  });
});

describe('redactArguments()', () => {
  const definition = jobDefinition(SendWelcomeEmail);

  it('hides what is sensitive and what the class does not know', () => {
    expect(redactArguments(definition, { email: 'a@b.c', token: 'secret', oldToken: 'secret' })).toEqual({
      email: 'a@b.c',
      token: '[redacted]',
      oldToken: '[redacted]',
    });
  });

  it('hides everything of an unknown class, and when redacting fails', () => {
    expect(redactArguments(null, { email: 'a@b.c' })).toEqual({ email: '[redacted]' });
    const throwing = {
      get email(): string {
        throw new Error('secret');
      },
      note: 'shown otherwise',
    };
    expect(redactArguments(definition, throwing)).toEqual({ email: '[redacted]', note: '[redacted]' });
    const broken = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('secret');
        },
      },
    );
    expect(redactArguments(definition, broken)).toEqual({});
  });

  it('shares nothing with the stored arguments', () => {
    @Job()
    class Listing {
      constructor(readonly items: number[]) {}
      @Handle() handle(): void {}
    }
    const stored = { items: [1] };
    expect(redactArguments(jobDefinition(Listing), stored)['items']).not.toBe(stored.items);
  });
});

describe('uniqueKeyOf()', () => {
  class Keyed {
    constructor(readonly key: unknown) {}
    uniqueKey(): unknown {
      return this.key;
    }
    handle(): void {}
  }
  Job()(Keyed);

  it('asks the job, and is null for a job that has none', () => {
    expect(uniqueKeyOf(new Keyed('order-1'))).toBe('order-1');
    expect(uniqueKeyOf(new SendWelcomeEmail('a', 'b', new Date(0)))).toBeNull();
  });

  it.each([
    ['an empty key', ''],
    ['no key', undefined],
    ['a number', 5],
    ['a long key', 'x'.repeat(256)],
    ['a promise', Promise.resolve('x')],
  ])('refuses %s', (_what, key) => {
    expect(() => uniqueKeyOf(new Keyed(key))).toThrow(InvalidQueueArgumentException);
    expect(() => uniqueKeyOf(new Keyed(key))).toThrow(/^Keyed\.uniqueKey\(\): expected a string of 1 to 255/);
  });
});

describe('an argument that cannot be read from the instance', () => {
  it('is refused with the name of the property, also where its getter throws', () => {
    class Lost {
      constructor(value: string) {
        Object.assign(this, { other: value });
      }
      handle(): void {}
    }
    Job({ args: ['value'] })(Lost);
    expect(() => encodeArguments(jobDefinition(Lost), new Lost('x'))).toThrow(
      /has no property "value".*@Job\(\{ args \}\)/,
    );

    class Throwing {
      get value(): string {
        throw new Error('secret');
      }
      handle(): void {}
      constructor(readonly other: string) {}
    }
    Job({ args: ['value'] })(Throwing);
    expect(() => encodeArguments(jobDefinition(Throwing), new Throwing('x'))).toThrow(
      /its getter threw\. Mend the getter/,
    );
  });
});

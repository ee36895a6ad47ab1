import { Inject, Injectable, Optional, Scope } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { UnresolvableJobParameterException } from '../../../lib/contract/index.js';
import { Job, jobDefinition } from '../../../lib/jobs/index.js';
import { listJob } from '../../../lib/jobs/scope/index.js';
import { aModule, cleanUpAfterEach, define, jobs, start } from './application.js';

const Handle = (): MethodDecorator => () => undefined;

@Injectable()
class Mailer {}

class MailJob {
  @Handle()
  handle(mailer: Mailer) {
    return mailer;
  }
}

class TokenJob {
  @Handle()
  handle(@Inject('greeting') greeting: unknown) {
    return greeting;
  }
}

@Injectable({ scope: Scope.REQUEST })
class NeedsMailer {
  constructor(readonly mailer: Mailer) {}
}

class ScopedMailJob {
  @Handle()
  handle(needs: NeedsMailer) {
    return needs;
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientMailer {
  static made = 0;
  constructor() {
    TransientMailer.made += 1;
  }
}

class TransientJob {
  @Handle()
  handle(mailer: TransientMailer) {
    return mailer;
  }
}

cleanUpAfterEach();

describe("a job sees its module's providers", () => {
  it('and no other: one that another module keeps for itself fails at boot', async () => {
    const mail = aModule('MailModule', { providers: [Mailer] });
    const feature = aModule('FeatureModule', { imports: [mail], providers: jobs(MailJob) });
    await expect(start(feature)).rejects.toThrow(/MailJob\.handle\(\).*Mailer|Mailer.*FeatureModule/s);
  });

  it('and those that another module exports to it', async () => {
    const mail = aModule('MailModule', { providers: [Mailer], exports: [Mailer] });
    const feature = aModule('FeatureModule', { imports: [mail], providers: jobs(MailJob) });
    const app = await start(feature);
    expect(await app.deliver(MailJob)).toBeInstanceOf(Mailer);
  });

  it('its own before one of the same token that was registered later elsewhere', async () => {
    const mine = aModule('MineModule', {
      providers: [{ provide: 'greeting', useValue: 'mine' }, ...jobs(TokenJob)],
    });
    const theirs = aModule('TheirsModule', {
      providers: [{ provide: 'greeting', useValue: 'theirs' }],
      exports: ['greeting'],
    });
    const app = await start(mine, theirs);
    expect(await app.deliver(TokenJob)).toBe('mine');
  });

  it('also where the provider is request-scoped: the same token elsewhere is another one', async () => {
    const factory = (name: string) => ({
      provide: 'greeting',
      scope: Scope.REQUEST,
      useFactory: () => ({ name }),
    });
    const mine = aModule('MineModule', { providers: [factory('mine'), ...jobs(TokenJob)] });
    const theirs = aModule('TheirsModule', { providers: [factory('theirs')], exports: ['greeting'] });
    const app = await start(mine, theirs);
    expect(await app.deliver(TokenJob)).toEqual({ name: 'mine' });
  });

  it('a request-scoped parameter that is missing, or lacks something itself, fails at boot', async () => {
    await expect(start(aModule('FeatureModule', { providers: jobs(ScopedMailJob) }))).rejects.toThrow();
  });

  it('a transient provider of a job is not made at boot', async () => {
    TransientMailer.made = 0;
    const app = await start(
      aModule('FeatureModule', { providers: [TransientMailer, ...jobs(TransientJob)] }),
    );
    expect(TransientMailer.made).toBe(0);
    await app.deliver(TransientJob);
    expect(TransientMailer.made).toBe(1);
  });
});

describe('listing', () => {
  it('a module that two modules import lists its jobs once', async () => {
    const mail = aModule('MailModule', { providers: [Mailer, ...jobs(MailJob)] });
    const app = await start(
      aModule('OneModule', { imports: [mail] }),
      aModule('TwoModule', { imports: [mail] }),
      mail,
    );
    expect(app.discovered.definitions.map((definition) => definition.name)).toEqual(['MailJob']);
  });

  it('two modules that list one class fail at boot, and the message names both', async () => {
    const one = aModule('OneModule', { providers: [Mailer, ...jobs(MailJob)] });
    const two = aModule('TwoModule', { providers: [Mailer, ...jobs(MailJob)] });
    await expect(start(one, two)).rejects.toThrow(/MailJob; OneModule and TwoModule/);
  });

  it('one module may list a class twice', async () => {
    const app = await start(
      aModule('OneModule', {
        providers: [Mailer, ...jobs(MailJob, TokenJob), ...jobs(MailJob)].concat(greeting),
      }),
    );
    expect(app.discovered.definitions.map((definition) => definition.name)).toEqual(['MailJob', 'TokenJob']);
  });

  it('two applications of one process keep apart what the same module lists', async () => {
    const mail = aModule('MailModule', { providers: [Mailer, ...jobs(MailJob)] });
    const one = await start(mail);
    const two = await start(mail);
    const mailer = await one.deliver(MailJob);
    expect(await two.deliver(MailJob)).not.toBe(mailer);
    expect(await one.deliver(MailJob)).toBe(mailer);
  });

  it('a job that no module lists is refused at delivery, with what to do', async () => {
    const app = await start(aModule('FeatureModule', { providers: [Mailer] }));
    const refused = app.deliver(MailJob);
    await expect(refused).rejects.toBeInstanceOf(UnresolvableJobParameterException);
    await expect(refused).rejects.toThrow(/"MailJob".*provideJobs/);
  });
});

const greeting = [{ provide: 'greeting', useValue: 'hello' }];

class TwoMethodsJob {
  @Handle()
  handle(@Inject('greeting') _greeting: unknown) {}

  @Handle()
  other(@Inject('farewell') _farewell: unknown) {}
}

interface Sender {
  send(): void;
}

enum Colour {
  Red = 'red',
}

class InterfaceJob {
  @Handle()
  handle(_mailer: Mailer, _sender: Sender) {}
}

class ScalarJob {
  @Handle()
  handle(_count: number, _at: Date, _colour: Colour, _call: () => void) {}
}

class UndecoratedJob {
  constructor(readonly name: string) {}
  handle(mailer: Mailer) {
    return mailer;
  }
}

class ShortInjectJob {
  handle(_a: unknown, _b: unknown) {}
}

class PropertyJob {
  handle = (mailer: Mailer) => mailer;
}

class OptionalMissingJob {
  @Handle()
  handle(@Optional() mailer?: Mailer) {
    return mailer;
  }
}

describe('parameters that name no provider', () => {
  it('are all told in one error at boot: job, parameter, what came and what to do', async () => {
    const module = aModule('FeatureModule', {
      providers: [
        Mailer,
        ...jobs(InterfaceJob, ScalarJob, UndecoratedJob, PropertyJob, TwoMethodsJob),
        listJob(define(ShortInjectJob, { inject: [Mailer, undefined].slice(0, 1) })),
      ],
    });
    const error = await start(module).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnresolvableJobParameterException);
    const { message } = error as Error;
    expect(message).toMatch(/InterfaceJob\.handle\(\), parameter 2 "_sender": its type is an interface/);
    expect(message).toMatch(/ScalarJob\.handle\(\), parameter 1 "_count": its type is Number/);
    expect(message).toMatch(/ScalarJob\.handle\(\), parameter 2 "_at": its type is Date/);
    expect(message).toMatch(/ScalarJob\.handle\(\), parameter 3 "_colour"/);
    expect(message).toMatch(/ScalarJob\.handle\(\), parameter 4 "_call": its type is a function/);
    expect(message).toMatch(
      /UndecoratedJob\.handle\(\), parameter 1 "mailer": .*@Handle\(\).*@Job\(\{ inject/,
    );
    expect(message).toMatch(/PropertyJob\.handle\(\): .*as a method/);
    expect(message).toMatch(
      /ShortInjectJob\.handle\(\), parameter 2 "_b": @Job\(\{ inject \}\) has 1 entries/,
    );
    expect(message).toMatch(
      /TwoMethodsJob\.handle\(\), parameter 1 "_greeting": @Inject names another token/,
    );
    expect(message).not.toMatch(/parameter 1 "_mailer"/);
  });

  it('are no error where they are optional and nothing has that type', async () => {
    const app = await start(aModule('FeatureModule', { providers: jobs(OptionalMissingJob) }));
    expect(await app.deliver(OptionalMissingJob)).toBeUndefined();
  });
});

@Injectable({ scope: Scope.REQUEST })
class RequestLog {}

@Injectable({ scope: Scope.TRANSIENT })
class Formatter {}

@Injectable({ scope: Scope.REQUEST, durable: true })
class PinningPool {
  constructor(
    readonly log: RequestLog,
    readonly formatter: Formatter,
  ) {}
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class SoundPool {
  constructor(readonly formatter: Formatter) {}
}

class PinningJob {
  @Handle()
  handle(_pinning: PinningPool, _sound: SoundPool, _log: RequestLog) {}
}

it('a durable provider over a request-scoped one is warned about at boot, and only that', async () => {
  const app = await start(
    aModule('FeatureModule', {
      providers: [RequestLog, Formatter, PinningPool, SoundPool, ...jobs(PinningJob)],
    }),
  );
  expect(app.discovered.warnings).toHaveLength(1);
  expect(app.discovered.warnings[0]).toMatch(/PinningPool is durable, but depends on RequestLog/);
});

class Parcel {
  constructor(readonly weight: number) {}
}

it('an argument whose type is a class that travels only as a plain object is warned about at boot', async () => {
  @Job()
  class SendParcel {
    constructor(readonly parcel: Parcel) {}

    @Handle()
    handle() {}
  }
  const app = await start(aModule('FeatureModule', { providers: [listJob(jobDefinition(SendParcel))] }));
  expect(app.discovered.warnings).toHaveLength(1);
  expect(app.discovered.warnings[0]).toMatch(/SendParcel, argument "parcel": its type is a class, Parcel/);
});

class BaseJob {
  @Handle()
  handle(mailer: Mailer): unknown {
    return mailer;
  }
}

class InheritingJob extends BaseJob {}

it('handle() may be inherited', async () => {
  const app = await start(aModule('FeatureModule', { providers: [Mailer, ...jobs(InheritingJob)] }));
  expect(await app.deliver(InheritingJob)).toBeInstanceOf(Mailer);
});

it('a job without parameters opens no context, and what it returns or throws is kept', async () => {
  class BareJob {
    handle() {
      return 42;
    }
  }
  class BareThrowingJob {
    handle() {
      throw new Error('synchronously');
    }
  }
  const app = await start(aModule('FeatureModule', { providers: jobs(BareJob, BareThrowingJob) }));
  ContextIdFactory.apply({
    attach() {
      throw new Error('asked');
    },
  });
  expect(await app.deliver(BareJob)).toBe(42);
  await expect(app.deliver(BareThrowingJob)).rejects.toThrow('synchronously');
});

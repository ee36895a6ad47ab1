import * as v from 'valibot';
import { Arg, Handle, Job, Sensitive } from '@kinetis/nestjs-queue';

class Mailer {
  send(): void {}
}

class Ledger {
  book(): void {}
}

enum Status {
  Open = 'open',
  Closed = 'closed',
}

class Money {
  constructor(readonly cents: number) {}
}

const moneyCodec = {
  encode: (money: Money) => money.cents,
  decode: (cents: unknown) => new Money(Number(cents)),
};

@Job()
export class Bare {
  handle(): void {}
}

@Job({ name: 'bill', queue: 'mail', maxAttempts: null, backoff: [10, 60], inject: [Mailer, 'LEDGER'] })
export class Bill {
  constructor(
    @Sensitive() readonly card: string,
    @Arg(Date) readonly due: Date | null,
    @Arg(Status) readonly status: Status,
    @Arg(moneyCodec) readonly amount: Money,
    @Arg(v.pipe(v.string(), v.email())) readonly contact: string,
  ) {}

  @Handle()
  handle(mailer: Mailer, ledger: Ledger): void {
    mailer.send();
    ledger.book();
  }
}

@Job({ backoff: { base: 1, factor: 2, max: 60, jitter: 0.5 } })
export class Exponential {
  @Handle()
  async handle(): Promise<void> {}
}

@Job({ backoff: (attempt: number, _error: unknown, job: Chosen) => attempt * job.pause })
export class Chosen {
  constructor(readonly pause: number) {}

  handle(): void {}
}

// @ts-expect-error a job has a method handle()
@Job()
export class NoHandle {
  run(): void {}
}

// @ts-expect-error @Job() has no such option
@Job({ queue: 'mail', retries: 3 })
export class UnknownOption {
  handle(): void {}
}

// @ts-expect-error the token gives a Mailer, handle() wants a Ledger
@Job({ inject: [Mailer] })
export class WrongToken {
  handle(ledger: Ledger): void {
    ledger.book();
  }
}

// @ts-expect-error handle() has one parameter, inject names two
@Job({ inject: [Mailer, Ledger] })
export class TooManyTokens {
  handle(mailer: Mailer): void {
    mailer.send();
  }
}

// @ts-expect-error handle() has a parameter, inject names none
@Job({ inject: [] })
export class TooFewTokens {
  handle(mailer: Mailer): void {
    mailer.send();
  }
}

// @ts-expect-error the backoff is made for another job
@Job({ backoff: (attempt: number, _error: unknown, job: Chosen) => attempt * job.pause })
export class WrongBackoff {
  handle(): void {}
}

// @ts-expect-error a list of texts is no backoff
@Job({ backoff: ['10'] })
export class TextBackoff {
  handle(): void {}
}

@Job()
export class WrongArguments {
  constructor(
    // @ts-expect-error the parameter is no Date
    @Arg(Date) readonly name: string,
    // @ts-expect-error the parameter takes any text, the enum two of them
    @Arg(Status) readonly status: string,
    // @ts-expect-error the codec makes Money
    @Arg(moneyCodec) readonly amount: number,
    // @ts-expect-error the schema makes numbers
    @Arg(v.number()) readonly count: string,
    // @ts-expect-error neither type, enum, codec nor schema
    @Arg('date') readonly at: Date,
  ) {}

  handle(): void {}
}

@Job()
export class WrongPlaces {
  // @ts-expect-error a property does not travel
  @Sensitive() readonly secret: string = '';

  // @ts-expect-error the method that a worker calls is named handle
  @Handle()
  run(): void {}

  // @ts-expect-error a parameter of handle() is injected, it does not travel
  handle(@Sensitive() mailer: Mailer): void {
    mailer.send();
  }

  // @ts-expect-error only the constructor's arguments travel
  other(@Arg(Date) at: Date): Date {
    return at;
  }
}

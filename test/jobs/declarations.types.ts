/* Compiled, never run: each line marked as an error must be one, and no other may be. */
import * as v from 'valibot';
import { Arg, Handle, Job, Sensitive, type ArgCodec } from '../../lib/jobs/index.js';

enum Status {
  Open = 'open',
  Done = 'done',
}
enum Color {
  Red,
  Green,
}
class Mailer {
  private sent = 1;
  send(): number {
    return this.sent;
  }
}
class Clock {
  private ticks = 1;
  now(): number {
    return this.ticks;
  }
}
class Money {
  constructor(readonly cents: number) {}
}
const money: ArgCodec<Money> = {
  encode: (value) => value.cents,
  decode: (cents) => new Money(cents as number),
};

@Job({ inject: [Mailer, 'REGION'], backoff: (attempt, _error, job: EverythingFits) => attempt + job.count })
export class EverythingFits {
  constructor(
    @Arg(Date) readonly at: Date | null,
    @Arg(Status) readonly status: Status,
    @Arg(Color) readonly color: Color | null,
    @Arg(money) readonly price: Money,
    @Arg(v.array(v.string())) readonly tags: string[],
    readonly count: number,
    @Arg(Date) @Sensitive() readonly later?: Date,
    @Arg(String) readonly text: string = 'text',
  ) {}
  @Handle()
  handle(_mailer: Mailer, _region: string): void {}
}

@Job({ backoff: (attempt, error) => attempt + (error === null ? 1 : 0), maxAttempts: null })
export class BackoffWithoutJob {
  handle(): void {}
}

@Job({ backoff: { base: 3 }, inject: [] })
export class NothingToInject {
  handle(): void {}
}

// @ts-expect-error -- the first parameter is no Clock
@Job({ inject: [Clock, 'REGION'] })
export class AnotherClassInjected {
  handle(_mailer: Mailer, _region: string): void {}
}

// @ts-expect-error -- two parameters
@Job({ inject: [Mailer] })
export class TokenMissing {
  handle(_mailer: Mailer, _region: string): void {}
}

// @ts-expect-error -- the job is another one
@Job({ backoff: (_attempt, _error, job: EverythingFits) => job.count })
export class BackoffOfAnotherJob {
  handle(): void {}
}

// @ts-expect-error -- no such option
@Job({ queu: 'mail' })
export class UnknownOption {
  handle(): void {}
}

// @ts-expect-error -- nothing that a worker could call
@Job()
export class WithoutHandle {}

export class Misfits {
  constructor(
    // @ts-expect-error -- a Date for a string
    @Arg(Date) readonly text: string,
    // @ts-expect-error -- another enum
    @Arg(Status) readonly color: Color,
    // @ts-expect-error -- a codec of another class
    @Arg(money) readonly mailer: Mailer,
    // @ts-expect-error -- a schema of another type
    @Arg(v.string()) readonly count: number,
    // @ts-expect-error -- a class that is no codec
    @Arg(Mailer) readonly service: Mailer,
  ) {}
  handle(
    // @ts-expect-error -- no constructor argument
    @Sensitive() _text: string,
    // @ts-expect-error -- the same
    @Arg(Date) _at: Date,
  ): void {}
  // @ts-expect-error -- a worker calls handle
  @Handle()
  run(): void {}
}

import { describe, expect, it } from 'vitest';
import { JobDeclarationException } from '../../lib/contract/index.js';
import { encodeArguments, Handle, Job, type JobClass, jobDefinition } from '../../lib/jobs/index.js';
import { Money, money, Price } from './argument-jobs.js';

class Address {
  constructor(
    readonly street: string,
    readonly zip: string,
  ) {}

  /** A plain object has one too. */
  toString(): string {
    return `${this.street}, ${this.zip}`;
  }
}

class HomeAddress extends Address {
  get isHome(): boolean {
    return true;
  }
}

class Mailer {
  send(): void {}
}

class NightMailer extends Mailer {}

class Tags extends Array<string> {}

/** A job with one argument, as if TypeScript had emitted `type` for it. */
function jobOf(type: unknown): JobClass {
  class SendLetter {
    constructor(readonly value: unknown) {}

    @Handle()
    handle(): void {}
  }
  Reflect.defineMetadata('design:paramtypes', [type], SendLetter);
  Job()(SendLetter);
  return SendLetter;
}

const warningOf = (type: unknown) => jobDefinition(jobOf(type)).args[0]?.warning;

describe('an argument whose type is a class', () => {
  it.each([Mailer, NightMailer, Map, Set, Uint8Array, Buffer, Promise, RegExp, URL, BigInt, Symbol])(
    'is refused at decoration where nothing that fits has a wire form: %o',
    (type) => {
      expect(() => jobOf(type)).toThrow(JobDeclarationException);
      expect(() => jobOf(type)).toThrow(
        new RegExp(
          `Job class SendLetter, argument "value": expected .* wire form, came ${type.name}\\..*@Arg\\(codec\\).*handle\\(\\)`,
        ),
      );
    },
  );

  it.each([Address, HomeAddress, Tags])(
    'carries a plain object of its shape, with a warning for the boot: %o',
    (type) => {
      expect(warningOf(type)).toMatch(
        new RegExp(`SendLetter, argument "value": its type is a class, ${type.name}, .* interface, .*@Arg`),
      );
      const SendLetter = jobOf(type);
      const value = { street: 'Elm', zip: '1' };
      expect(encodeArguments(jobDefinition(SendLetter), new SendLetter(value))).toEqual({ value });
    },
  );

  it('carries its instances with a codec, without a word', () => {
    expect(jobDefinition(Price).args[0]?.warning).toBeNull();
    expect(encodeArguments(jobDefinition(Price), new Price(new Money(5n, 'EUR')))).toEqual({
      value: money.encode(new Money(5n, 'EUR')),
    });
  });

  it.each([String, Number, Boolean, Date, Object, Array, Function, undefined, { Open: 'open' }])(
    'is not meant by %o',
    (type) => {
      expect(warningOf(type)).toBeNull();
    },
  );
});

import 'reflect-metadata';
import { Optional } from '@nestjs/common';
import * as v from 'valibot';
import { Arg, Handle, Job, Sensitive, type ArgCodec, type StandardSchema } from '../../lib/jobs/index.js';

export enum Status {
  Open = 'open',
  Done = 'done',
}
export enum Color {
  Red,
  Green,
}
export enum Mixed {
  None = 0,
  Some = 'some',
}

export class Money {
  constructor(
    readonly cents: bigint,
    readonly currency: string,
  ) {}
}
export const money: ArgCodec<Money> = {
  encode: ({ cents, currency }) => [String(cents), currency],
  decode: (wire) => {
    const [cents, currency] = wire as [string, string];
    return new Money(BigInt(cents), currency);
  },
};
/** A class that is its own codec. */
export class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
  static encode(point: Point): [number, number] {
    return [point.x, point.y];
  }
  static decode(wire: unknown): Point {
    const [x, y] = wire as [number, number];
    return new Point(x, y);
  }
}
export const broken: ArgCodec<unknown> = {
  encode: (value) => {
    throw new RangeError(`cannot carry ${String(value)}`);
  },
  decode: () => null,
};
export const leaky: ArgCodec<unknown> = { encode: () => new Map() as never, decode: () => null };
export const asynchronous: StandardSchema<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('never seen')) },
};
export const throwing: StandardSchema<unknown, unknown> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => {
      throw new TypeError('secret');
    },
  },
};

@Job()
export class Anything {
  constructor(readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Text {
  constructor(readonly value: string) {}
  @Handle() handle(): void {}
}
@Job()
export class Count {
  constructor(readonly value: number) {}
  @Handle() handle(): void {}
}
@Job()
export class Flag {
  constructor(readonly value: boolean) {}
  @Handle() handle(): void {}
}
@Job()
export class At {
  constructor(readonly value: Date) {}
  @Handle() handle(): void {}
}
@Job()
export class MaybeAt {
  constructor(@Arg(Date) readonly value: Date | null) {}
  @Handle() handle(): void {}
}
@Job()
export class WithStatus {
  constructor(@Arg(Status) readonly value: Status | null) {}
  @Handle() handle(): void {}
}
@Job()
export class WithColor {
  constructor(@Arg(Color) readonly value: Color) {}
  @Handle() handle(): void {}
}
@Job()
export class WithMixed {
  constructor(@Arg(Mixed) readonly value: Mixed) {}
  @Handle() handle(): void {}
}
@Job()
// As SWC emits an enum; tsc says String.
@Reflect.metadata('design:paramtypes', [Status])
export class EmittedStatus {
  constructor(readonly value: Status) {}
  @Handle() handle(): void {}
}
@Job()
export class List {
  constructor(readonly value: readonly unknown[]) {}
  @Handle() handle(): void {}
}
@Job()
export class Price {
  constructor(@Arg(money) readonly value: Money) {}
  @Handle() handle(): void {}
}
@Job()
export class Place {
  constructor(@Arg(Point) readonly value: Point) {}
  @Handle() handle(): void {}
}
@Job()
export class Broken {
  constructor(@Arg(broken) readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Leaky {
  constructor(@Arg(leaky) readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Tags {
  constructor(@Arg(v.array(v.pipe(v.string(), v.minLength(2)))) readonly value: string[]) {}
  @Handle() handle(): void {}
}
@Job()
export class Async {
  constructor(@Arg(asynchronous) readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Throwing {
  constructor(@Arg(throwing) readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Secret {
  constructor(@Sensitive() readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
export class Defaulted {
  constructor(readonly value: string = 'default') {}
  @Handle() handle(): void {}
}
@Job()
export class Marked {
  constructor(@Optional() readonly value?: string) {}
  @Handle() handle(): void {}
}

import { Optional } from '@nestjs/common';
import { Arg, Handle, Job, Sensitive } from '@kinetis/nestjs-queue';
import * as v from 'valibot';
import { Journal } from './journal.js';

export enum Plan {
  Free = 'free',
  Paid = 'paid',
}

/** A class of one's own, which says how it travels. */
export class Money {
  constructor(readonly cents: bigint) {}

  static encode(money: Money): string {
    return String(money.cents);
  }

  static decode(stored: unknown): Money {
    return new Money(BigInt(String(stored)));
  }
}

/** Any Standard Schema: valibot here, zod and arktype likewise. */
const Address = v.object({ street: v.string(), zip: v.pipe(v.string(), v.digits()) });

@Job()
export class RegisterCustomer {
  constructor(
    readonly name: string,
    readonly since: Date,
    @Arg(Date) readonly until: Date | null, // a union's type is not known at run time
    @Arg(Plan) readonly plan: Plan,
    @Arg(Money) readonly credit: Money,
    @Arg(Address) readonly address: v.InferOutput<typeof Address>,
    @Sensitive() readonly token: string, // [redacted] in logs and events
    @Optional() readonly note?: string, // may be undefined; also serves jobs that older code pushed without it
  ) {}

  @Handle()
  handle(journal: Journal): void {
    const { name, since, until, plan, credit, address } = this;
    const years = `${since.getUTCFullYear()} to ${until?.getUTCFullYear() ?? 'now'}`;
    journal.write(`${name}, ${years}, ${plan}, ${credit.cents + 1n}, ${address.zip}`);
  }
}

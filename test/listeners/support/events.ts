import { Sensitive } from '../../../lib/index.js';

export enum Plan {
  Free = 'free',
  Paid = 'paid',
}

/** With methods, so that no plain object fits its type. */
export class UserRegistered {
  constructor(
    readonly userId: number,
    readonly email: string,
    readonly at: Date,
    readonly plan: Plan = Plan.Free,
    @Sensitive() readonly token: string = 'none',
  ) {}

  greeting(): string {
    return `${this.email} (${this.userId}, ${this.plan}) at ${this.at.toISOString()}`;
  }
}

/** Its constructor takes nothing: whoever emits it assigns its properties. */
export class OrderShipped {
  order!: number;
  carrier?: string;
  private readonly tags: string[] = [];

  tag(tag: string): this {
    this.tags.push(tag);
    return this;
  }

  line(): string {
    return `order ${this.order} by ${this.carrier ?? 'nobody'}, ${this.tags.join(' ')}`;
  }
}

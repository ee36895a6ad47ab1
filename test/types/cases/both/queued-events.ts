import * as v from 'valibot';
import { OnQueuedEvent, QueuedEvent } from '@kinetis/nestjs-queue/event-emitter';
import type { ArgCodec } from '@kinetis/nestjs-queue';

enum Plan {
  Free = 'free',
  Paid = 'paid',
}
class Registered {
  private readonly kind = 'registered';
  constructor(readonly id: number) {}
  text(): string {
    return `${this.kind} ${this.id}`;
  }
}
class Money {
  private readonly unit = 'cent';
  constructor(readonly cents: number) {}
  text(): string {
    return `${this.cents} ${this.unit}`;
  }
}
const money: ArgCodec<Money> = {
  encode: (value) => value.cents,
  decode: (cents) => new Money(cents as number),
};

export class Fits {
  @OnQueuedEvent('everything', {
    id: 'everything',
    aliases: ['all'],
    queue: 'mail',
    connection: 'ledger',
    maxAttempts: null,
    backoff: [1, 2],
    priority: 1,
    leaseSeconds: 1,
    timeoutSeconds: 1,
    delaySeconds: 0.5,
    inline: false,
    sensitive: true,
    types: [Registered, Date, Plan, money, v.array(v.string()), QueuedEvent, String, null],
  })
  everything(
    _event: Registered,
    _at: Date | null,
    _plan: Plan,
    _price: Money,
    _tags: string[],
    _queued: QueuedEvent,
    _text?: string,
    _rest?: unknown,
  ): Promise<void> {
    return Promise.resolve();
  }

  @OnQueuedEvent(['order', '*'])
  segments(_event: QueuedEvent): void {}

  @OnQueuedEvent('hidden')
  private hidden(): void {}

  use(): void {
    this.hidden();
  }
}

export class DoesNotFit {
  // @ts-expect-error -- no such option
  @OnQueuedEvent('it', { queu: 'mail' })
  unknownOption(): void {}

  // @ts-expect-error -- a number
  @OnQueuedEvent('it', { delaySeconds: '3' })
  textForNumber(): void {}

  // @ts-expect-error -- another class
  @OnQueuedEvent('it', { types: [Money] })
  anotherClass(_event: Registered): void {}

  // @ts-expect-error -- the second does not fit
  @OnQueuedEvent('it', { types: [Registered, Date] })
  second(_event: Registered, _text: string): void {}

  // @ts-expect-error -- one parameter
  @OnQueuedEvent('it', { types: [Registered, Date] })
  tooMany(_event: Registered): void {}

  // @ts-expect-error -- the codec is of something else
  @OnQueuedEvent('it', { types: [money] })
  anotherCodec(_event: Registered): void {}

  // @ts-expect-error -- a symbol has no wire form
  @OnQueuedEvent(Symbol('it'))
  symbol(): void {}

  // @ts-expect-error -- a property
  @OnQueuedEvent('it')
  property = 1;
}

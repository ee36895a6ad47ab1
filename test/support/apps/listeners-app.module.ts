import { Injectable, Module, Scope } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Arg, KinetisQueueModule } from '@kinetis/nestjs-queue';
import { KinetisQueueListenersModule, OnQueuedEvent, QueuedEvent } from '@kinetis/nestjs-queue/event-emitter';
import { fixtureConnection, fixtureLedger } from './fixture-environment.js';
import { Ledger } from './ledger.js';
import { OutcomesListener } from './outcomes.listener.js';

export class OrderPaid {
  constructor(
    readonly order: number,
    @Arg(Date) readonly at: Date,
  ) {}

  isOfThisMillennium(): boolean {
    return this.at.getUTCFullYear() >= 2000;
  }
}

/** Writes to the ledger when it is made and when it is called. */
@Injectable({ scope: Scope.REQUEST })
export class Receipts {
  constructor(private readonly ledger: Ledger) {
    ledger.write('made');
  }

  @OnQueuedEvent('order.*', { queue: 'receipts', maxAttempts: 2 })
  send(event: OrderPaid, { name, delivery }: QueuedEvent): void {
    const attempt = delivery?.attempts ?? 0;
    this.ledger.write('heard', { n: event.order, attempt, name, rebuilt: event.isOfThisMillennium() });
    if (event.order === 0 && attempt === 1) throw new Error('the printer is off');
  }
}

@Module({ providers: [fixtureLedger, OutcomesListener, Receipts] })
class ReceiptsModule {}

/** A worker needs no emitter. */
const emitter =
  process.env['WITHOUT_EMITTER'] === '1' ? [] : [EventEmitterModule.forRoot({ wildcard: true })];

@Module({
  imports: [
    ReceiptsModule,
    ...emitter,
    KinetisQueueModule.forRoot({ connections: { default: fixtureConnection() } }),
    KinetisQueueListenersModule,
  ],
})
export class ListenersAppModule {}

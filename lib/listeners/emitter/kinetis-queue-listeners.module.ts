import { Global, Module } from '@nestjs/common';
import { EVENT_SUBSCRIBER } from '../event-subscriber.token.js';
import { EventSubscriber } from './event-subscriber.js';

/**
 * Subscribes the methods that `@OnQueuedEvent` marks to the application's EventEmitter2. Import it once, beside
 * `EventEmitterModule.forRoot()` and `KinetisQueueModule`; without the latter the listeners run inside `emit()`.
 *
 * @publicApi
 */
@Global()
@Module({ providers: [{ provide: EVENT_SUBSCRIBER, useClass: EventSubscriber }] })
export class KinetisQueueListenersModule {}

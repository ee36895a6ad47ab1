export { KinetisQueueListenersModule } from './emitter/kinetis-queue-listeners.module.js';
export { OnQueuedEvent } from './on-queued-event.decorator.js';
export { QueuedEvent } from './queued-event.js';
export type { EventName } from './check-queued-event.js';
export type { EventClass, EventValueType, QueuedEventOptions } from './queued-event-options.js';

import type { JobDefinition } from '../jobs/index.js';
import type { NestModule, ProviderWrapper } from '../jobs/scope/nest-container.js';
import type { EventName } from './check-queued-event.js';
import type { ListenerMethod } from './listener-job.js';

/** A method that `@OnQueuedEvent()` marks, of a provider of this application. */
export interface QueuedListener extends ListenerMethod {
  readonly id: string;
  readonly event: EventName;
  readonly delaySeconds: number;
  /** Of its jobs; null where it runs inside `emit()`. */
  readonly definition: JobDefinition | null;
  readonly wrapper: ProviderWrapper;
  readonly host: NestModule;
}

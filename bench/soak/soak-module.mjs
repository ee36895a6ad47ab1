import 'reflect-metadata';
import {
  JobDeferred,
  JobFailedPermanently,
  JobMalformed,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
  KinetisQueueModule,
  OnJobEvent,
  provideJobs,
} from '../../dist/lib/index.js';
import { DoneJobs, SoakJob, visitProvider } from './soak-job.mjs';

const EVENTS = {
  JobSucceeded,
  JobReleased,
  JobDeferred,
  JobFailedPermanently,
  JobSettlementLost,
  JobSettlementUnknown,
  JobMalformed,
};

/** Counts what a worker tells. */
export class EventCounts {
  counts = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, 0]));

  onEvent(event) {
    const name = event.constructor.name;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}
OnJobEvent(...Object.values(EVENTS))(
  EventCounts.prototype,
  'onEvent',
  Object.getOwnPropertyDescriptor(EventCounts.prototype, 'onEvent'),
);

/** The application: the same module pushes and works. */
export function moduleOver(backend, { done, events }) {
  class SoakModule {}
  return {
    module: SoakModule,
    imports: [KinetisQueueModule.forRoot({ connections: { default: backend } })],
    providers: [
      { provide: DoneJobs, useValue: done },
      { provide: EventCounts, useValue: events },
      visitProvider,
      ...provideJobs(SoakJob),
    ],
  };
}

import {
  type BatchObservableCallback,
  type Counter,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  type ObservableGauge,
} from '@opentelemetry/api';
import { SCOPE_NAME } from './attributes.js';

/** As the conventions advise for both histograms, in seconds. */
const SHORT = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Jobs take longer than messages. */
const LONG = [...SHORT, 30, 60, 300, 900, 3_600];

/** Everything that is measured. */
export class Instruments {
  readonly sent: Counter;
  readonly pushDuration: Histogram;
  readonly consumed: Counter;
  readonly processDuration: Histogram;
  readonly lostSettlements: Counter;
  readonly unknownSettlements: Counter;
  readonly malformed: Counter;
  readonly waiting: ObservableGauge;
  readonly oldest: ObservableGauge;
  readonly #meter: Meter;

  constructor(provider: MeterProvider | undefined) {
    const meter = (provider ?? metrics.getMeterProvider()).getMeter(SCOPE_NAME);
    this.#meter = meter;
    this.sent = meter.createCounter('messaging.client.sent.messages', {
      unit: '{message}',
      description: 'Jobs that were pushed, or that a push tried to store.',
    });
    this.pushDuration = meter.createHistogram('messaging.client.operation.duration', {
      unit: 's',
      description: 'Duration of pushes.',
      advice: { explicitBucketBoundaries: SHORT },
    });
    this.consumed = meter.createCounter('messaging.client.consumed.messages', {
      unit: '{message}',
      description: 'Deliveries that ended, by outcome.',
    });
    this.processDuration = meter.createHistogram('messaging.process.duration', {
      unit: 's',
      description: 'Duration of deliveries, from the start of the handler to the end of the settlement.',
      advice: { explicitBucketBoundaries: LONG },
    });
    this.lostSettlements = meter.createCounter('kinetis_queue.settlements.lost', {
      unit: '{settlement}',
      description: 'Settlements that changed nothing: their delivery was no longer current.',
    });
    this.unknownSettlements = meter.createCounter('kinetis_queue.settlements.unknown', {
      unit: '{settlement}',
      description: 'Settlements of which nobody knows whether they were applied.',
    });
    this.malformed = meter.createCounter('kinetis_queue.items.malformed', {
      unit: '{item}',
      description: 'Items of a queue that are no readable jobs, by what became of their bytes.',
    });
    this.waiting = meter.createObservableGauge('kinetis_queue.queue.waiting', {
      unit: '{job}',
      description: 'Jobs that are ready for a worker.',
    });
    this.oldest = meter.createObservableGauge('kinetis_queue.queue.oldest_age', {
      unit: 's',
      description: 'How long the oldest of the waiting jobs has waited.',
    });
  }

  /** Asks `observe` for both gauges of the queues at each collection; what is returned ends it. */
  observeQueues(observe: BatchObservableCallback): () => void {
    const gauges = [this.waiting, this.oldest];
    this.#meter.addBatchObservableCallback(observe, gauges);
    return () => this.#meter.removeBatchObservableCallback(observe, gauges);
  }
}

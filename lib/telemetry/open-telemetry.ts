import { trace, type Tracer } from '@opentelemetry/api';
import type {
  JobSpan,
  MalformedJobSettledException,
  ObservedConnection,
  PushDescription,
  PushSpan,
  QueuedJob,
  QueueTelemetry,
  StopObserving,
} from '../contract/index.js';
import { DISPOSITION, operationAttributes, SCOPE_NAME } from './attributes.js';
import { checkOptions } from './check-options.js';
import { Instruments } from './instruments.js';
import { type JobSpanOptions, startJobSpan } from './job-spans.js';
import type { OpenTelemetryOptions } from './open-telemetry.options.js';
import { startPushSpan } from './push-spans.js';
import { QueueGauges } from './queue-gauges.js';

/**
 * Traces and metrics of queues through OpenTelemetry, by its conventions for messaging. Start the SDK before the
 * application is created: providers and the propagator are those that are global by then.
 *
 * Errors: `QueueConfigurationException` and `InvalidQueueArgumentException` for an option of the wrong form.
 *
 * @example KinetisQueueModule.forRoot({ connections, telemetry: openTelemetry() })
 * @publicApi
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): QueueTelemetry {
  checkOptions(options);
  return new OpenTelemetry(options);
}

class OpenTelemetry implements QueueTelemetry {
  readonly #options: OpenTelemetryOptions;
  readonly #spanOptions: JobSpanOptions;
  readonly #tracer: Tracer;
  readonly #gauges = new QueueGauges(() => this.#instruments);
  #made: Instruments | null = null;

  constructor(options: OpenTelemetryOptions) {
    const { tracerProvider, follows = 'parent', recordExceptions = false } = options;
    this.#options = options;
    this.#spanOptions = { follows, recordExceptions };
    // Of the global provider it is a proxy, which finds the real one later.
    this.#tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer(SCOPE_NAME);
  }

  startPush(push: PushDescription): PushSpan {
    return startPushSpan(this.#tracer, this.#instruments, [push], false);
  }

  startPushMany(pushes: readonly PushDescription[]): PushSpan {
    return startPushSpan(this.#tracer, this.#instruments, pushes, true);
  }

  startJob(job: QueuedJob, connection: string): JobSpan {
    return startJobSpan(this.#tracer, this.#instruments, job, connection, this.#spanOptions);
  }

  malformed({ queue, disposition }: MalformedJobSettledException, connection: string): void {
    const attributes = operationAttributes('process', connection, queue);
    this.#instruments.malformed.add(1, { ...attributes, [DISPOSITION]: disposition });
  }

  openConnection(connection: ObservedConnection): StopObserving | undefined {
    const queues = this.#options.measureQueues?.[connection.name];
    return queues === undefined ? undefined : this.#gauges.observe(connection, queues);
  }

  startWorker(connection: ObservedConnection, queues: readonly string[]): StopObserving | undefined {
    return this.#options.measureWatchedQueues === false
      ? undefined
      : this.#gauges.observe(connection, queues);
  }

  /** Not before they are needed: meters, unlike tracers, are of the provider that is global when they are made. */
  get #instruments(): Instruments {
    return (this.#made ??= new Instruments(this.#options.meterProvider));
  }
}

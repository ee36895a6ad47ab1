import type { QueueBackend, QueueTelemetry } from '../../lib/contract/index.js';
import type { AnyJobEvent, JobEventClass } from '../../lib/events/index.js';
import {
  type DeliveryScope,
  type DeliveryScopes,
  Job,
  type JobClass,
  type JobDelivery,
  jobDefinition,
  JobRegistry,
  Sensitive,
} from '../../lib/jobs/index.js';
import { ConnectionDirectory, type PushOptions, Queue, QueueConnection } from '../../lib/queue/index.js';
import { QueueWorker, type WorkerLogger, type WorkerOptions } from '../../lib/worker/index.js';
import { ScriptedBackend } from './scripted-backend.js';

/** What the handler of the test's job does. */
export type Handler = (delivery: JobDelivery, job: { readonly label: string }) => unknown;

/** The job of worker tests: its handler is whatever the test says. */
export class LabelledJob {
  constructor(
    readonly label: string,
    readonly secret: string = 's3cret',
  ) {}

  handle(): void {}
}
Sensitive()(LabelledJob, undefined, 1);
Job({ args: ['label', 'secret'] })(LabelledJob);

export interface LogLine {
  readonly level: 'debug' | 'log' | 'warn' | 'error';
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Hooks of the scope that a test replaces. */
export interface ScopeHooks {
  open?: (delivery: JobDelivery) => void;
  dispose?: () => void | Promise<void>;
}

/** A worker over the scripted backend, or another, with everything that it tells recorded. */
export class WorkerBench<B extends QueueBackend = ScriptedBackend> {
  readonly backend: B;
  readonly connection: QueueConnection;
  readonly queue: Queue;
  readonly registry = new JobRegistry();
  readonly lines: LogLine[] = [];
  readonly events: AnyJobEvent[] = [];
  readonly hooks: ScopeHooks = {};
  /** Labels of the jobs whose handler was begun, in order. */
  readonly begun: string[] = [];
  opened = 0;
  disposed = 0;
  handler: Handler = () => undefined;
  logger: WorkerLogger;
  telemetry: QueueTelemetry | null;
  /** Called with every event, before it is recorded. */
  listener: (event: AnyJobEvent) => unknown = () => undefined;

  constructor(
    backend: B = new ScriptedBackend() as QueueBackend as B,
    jobs: readonly JobClass[] = [LabelledJob],
    telemetry: QueueTelemetry | null = null,
  ) {
    this.backend = backend;
    this.telemetry = telemetry;
    const reporter = { warn: () => undefined, error: () => undefined };
    this.connection = new QueueConnection({
      name: 'default',
      backend,
      reporter,
      telemetry: telemetry ?? undefined,
    });
    const directory = new ConnectionDirectory();
    directory.add(this.connection);
    this.queue = new Queue(this.connection, directory);
    for (const target of jobs) this.registry.add(jobDefinition(target));
    const write = (level: LogLine['level']) => (line: object) =>
      void this.lines.push({ level, ...(line as { event: string }) });
    this.logger = { debug: write('debug'), log: write('log'), warn: write('warn'), error: write('error') };
  }

  push(label: string, options: PushOptions = {}): Promise<string | null> {
    return this.queue.push(new LabelledJob(label), options);
  }

  worker(options: Partial<WorkerOptions> = {}, events: readonly JobEventClass[] = []): QueueWorker {
    const provider = { name: 'Audit', wrapper: null, host: null };
    return new QueueWorker(
      {
        connection: this.connection,
        registry: this.registry,
        scopes: this.scopes(),
        listeners: events.length === 0 ? [] : [{ provider, method: 'on', events }],
        telemetry: this.telemetry,
        logger: this.logger,
      },
      { ...DEFAULTS, ...options },
    );
  }

  logged(event: string): LogLine[] {
    return this.lines.filter((line) => line.event === event);
  }

  /** Names of the events that were told, in order. */
  get told(): string[] {
    return this.events.map((event) => event.constructor.name);
  }

  /** Scopes whose jobs do what `handler` says. */
  scopes(): DeliveryScopes {
    const audit = {
      on: async (event: AnyJobEvent) => {
        this.events.push(event);
        await this.listener(event);
      },
    };
    return {
      open: (_definition, delivery): DeliveryScope => {
        this.hooks.open?.(delivery);
        this.opened += 1;
        return {
          handle: async (job) => {
            const labelled = job as LabelledJob;
            this.begun.push(labelled.label);
            return this.handler(delivery, labelled);
          },
          resolve: async () => audit,
          dispose: async () => {
            this.disposed += 1;
            await this.hooks.dispose?.();
          },
        };
      },
      staticInstance: () => audit,
    };
  }
}

export const DEFAULTS: WorkerOptions = {
  queues: ['default'],
  concurrency: 1,
  maxAttempts: 0,
  pollTimeoutSeconds: 5,
  shutdownTimeoutSeconds: 25,
  maxConnectionFailures: Infinity,
  maxJobs: Infinity,
  maxTimeSeconds: Infinity,
  maxMemoryMb: Infinity,
  once: false,
  renewLeases: true,
  timeoutGraceSeconds: 5,
  crashAllowance: 3,
  schemaGraceSeconds: 600,
  name: 'test-worker',
};

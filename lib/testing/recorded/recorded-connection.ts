import type { NewJob, QueueBackend, SettleOutcome, Settlement } from '../../contract/index.js';
import type { JobDefinition, JobInstance } from '../../jobs/index.js';
import { memory } from '../../index.js';
import type { QueueApplication } from '../../module/queue-application.js';
import {
  type DefinedPush,
  Pusher,
  type PushOptions,
  PushTelemetry,
  QueueConnection,
  type QueueConnectionOptions,
} from '../../queue/index.js';
import type { EmptiableStore, PushRecord } from './push-record.js';

/** A connection of an application under test: a queue in memory that keeps a record of what was pushed. */
export class RecordedConnection extends QueueConnection {
  override readonly pusher: Pusher;
  readonly record: PushRecord;

  constructor(options: QueueConnectionOptions, record: PushRecord) {
    super(options);
    this.record = record;
    this.pusher = new RecordedPusher(options, record);
  }

  static async open(
    name: string,
    application: QueueApplication,
    record: PushRecord,
  ): Promise<RecordedConnection> {
    const store = await memory({ clock: record.clock })(application.backendContext(name));
    const backend = recording(store as QueueBackend & EmptiableStore, name, record);
    const { captureMetadata, telemetry } = application.settings;
    return new RecordedConnection(
      { name, backend, reporter: application.reporter, captureMetadata, telemetry },
      record,
    );
  }
}

/** Learns the classes of what is pushed: a body has only their names. */
class RecordedPusher extends Pusher {
  readonly #record: PushRecord;

  constructor(
    { backend, name, captureMetadata, telemetry, reporter }: QueueConnectionOptions,
    record: PushRecord,
  ) {
    super(backend, name, captureMetadata ?? null, new PushTelemetry(telemetry ?? null, reporter));
    this.#record = record;
  }

  override push(job: JobInstance, definition: JobDefinition, options: PushOptions): Promise<string | null> {
    this.#record.know(definition);
    return super.push(job, definition, options);
  }

  override pushMany(entries: readonly DefinedPush[], transaction: unknown): Promise<(string | null)[]> {
    for (const { definition } of entries) this.#record.know(definition);
    return super.pushMany(entries, transaction);
  }

  override chain(entries: readonly DefinedPush[], transaction: unknown): Promise<string[]> {
    for (const { definition } of entries) this.#record.know(definition);
    return super.chain(entries, transaction);
  }
}

/** The store, with a record of what it accepted. A transaction is accepted, and has no part in it. */
function recording(
  store: QueueBackend & EmptiableStore,
  connection: string,
  record: PushRecord,
): QueueBackend {
  const storing = store.store.bind(store);
  const settling = store.settle.bind(store);
  record.keep(store);
  return Object.assign(store, {
    capabilities: { ...store.capabilities, transactionalPush: true },
    async store(jobs: readonly NewJob[]) {
      const outcomes = await storing(jobs);
      for (const [index, job] of jobs.entries()) {
        if (outcomes[index]?.status === 'applied') record.add(connection, job, false);
      }
      return outcomes;
    },
    async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
      const outcomes = await settling(settlements);
      for (const [index, settlement] of settlements.entries()) {
        if (settlement.operation !== 'ack' || outcomes[index]?.status !== 'applied') continue;
        for (const job of settlement.followUps) record.add(connection, job, true);
      }
      return outcomes;
    },
  });
}

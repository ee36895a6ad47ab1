import { ModuleRef } from '@nestjs/core';
import { QueueConfigurationException } from '../../contract/index.js';
import { QueueApplication, type QueueApplicationSettings } from '../../module/queue-application.js';
import {
  CONNECTION_FACTORIES,
  CONNECTIONS_CLASS,
  QUEUE_SETTINGS,
} from '../../module/queue-module.constants.js';
import { getQueueToken } from '../../module/queue-token.js';
import {
  ClearableQueue,
  ConnectionDirectory,
  DEFAULT_CONNECTION,
  Queue,
  QueueAdmin,
  QueueConsumer,
} from '../../queue/index.js';
import { PushRecord } from './push-record.js';
import { RecordedConnection } from './recorded-connection.js';
import { RecordedQueues } from './recorded-queues.js';

/** What `recordQueues` needs of Nest’s `TestingModuleBuilder`. */
export interface TestingBuilder {
  overrideProvider(token: unknown): {
    useValue(value: unknown): unknown;
    useFactory(options: { factory: (...dependencies: never[]) => unknown; inject?: unknown[] }): unknown;
  };
}

/** How queues are recorded. */
export interface RecordQueuesOptions {
  /**
   * Connections beside `default`, where the environment names them (`KinetisQueueModule.forRoot()`) and the test has no
   * such environment. An application that names them itself needs none of it.
   */
  readonly connections?: readonly string[];
}

/**
 * Replaces every connection of an application under test by a queue in memory that nobody works, and keeps a record of
 * what is pushed. Call it before `compile()`. Nothing of the connections' configuration is read: no environment, no
 * `useFactory`, no server. Without a worker nothing runs, also where the module's options ask for one; `drain()` runs what
 * was pushed.
 *
 * @throws QueueConfigurationException at `compile()`, for `connections` of an application that names its own
 * @publicApi
 */
export function recordQueues(builder: TestingBuilder, options: RecordQueuesOptions = {}): RecordedQueues {
  const record = new PushRecord();
  const added = options.connections ?? [];
  builder.overrideProvider(QueueApplication).useFactory({
    inject: [ModuleRef, QUEUE_SETTINGS],
    factory: (moduleRef: ModuleRef, settings: QueueApplicationSettings) =>
      new QueueApplication(moduleRef, underTest(settings, added)),
  });
  builder.overrideProvider(CONNECTION_FACTORIES).useValue({});
  builder.overrideProvider(CONNECTIONS_CLASS).useValue({});
  builder.overrideProvider(ConnectionDirectory).useFactory({
    inject: [QueueApplication],
    factory: (application: QueueApplication) => openRecorded(application, record),
  });
  for (const name of added) overrideFacades(builder, name);
  return new RecordedQueues(record);
}

async function openRecorded(application: QueueApplication, record: PushRecord): Promise<ConnectionDirectory> {
  for (const name of application.settings.connections) {
    application.addConnection(await RecordedConnection.open(name, application, record));
  }
  return application.connections;
}

/** No worker, and no remarks on an environment that has no say. */
function underTest(settings: QueueApplicationSettings, added: readonly string[]): QueueApplicationSettings {
  const { fromEnvironment, connections } = settings;
  const unknown = added.filter((name) => !connections.includes(name));
  if (unknown.length > 0 && !fromEnvironment) {
    throw new QueueConfigurationException(
      `recordQueues(): connections: expected none beside those of KinetisQueueModule, ${quoted(connections)}; came ` +
        `${quoted(unknown)}. The option is for an application whose connections the environment names.`,
    );
  }
  return {
    ...settings,
    connections: [...connections, ...unknown],
    fromEnvironment: false,
    worker: undefined,
  };
}

/** The module refuses what its environment does not name; these are to be there all the same. */
function overrideFacades(builder: TestingBuilder, connection: string): void {
  if (connection === DEFAULT_CONNECTION) return;
  builder.overrideProvider(getQueueToken(connection)).useFactory({
    inject: [ConnectionDirectory],
    factory: (directory: ConnectionDirectory) => new Queue(directory.get(connection), directory),
  });
  for (const facade of [ClearableQueue, QueueAdmin, QueueConsumer]) {
    builder.overrideProvider(getQueueToken(connection, facade)).useFactory({
      inject: [getQueueToken(connection)],
      factory: (queue: Queue) => new facade(queue),
    });
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

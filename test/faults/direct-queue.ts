import type { BackendFactory, QueueBackend } from '../../lib/contract/index.js';
import { ConnectionDirectory, Queue, QueueConnection, QueueConsumer } from '../../lib/queue/index.js';
import { bareContext } from '../support/bare-context.js';
import type { DirectQueue } from './target.js';

/** The queue over a backend, as an application would inject it, without the application. */
export function directQueueOver(backend: QueueBackend): DirectQueue {
  const directory = new ConnectionDirectory();
  const reporter = { warn: () => undefined, error: () => undefined };
  const connection = new QueueConnection({ name: 'default', backend, reporter });
  directory.add(connection);
  const queue = new Queue(connection, directory);
  return { backend, queue, consumer: new QueueConsumer(queue), close: () => backend.close() };
}

export async function openDirectQueue(factory: BackendFactory): Promise<DirectQueue> {
  return directQueueOver(await factory(bareContext()));
}

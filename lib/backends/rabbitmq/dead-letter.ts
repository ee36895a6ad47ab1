import { createHash } from 'node:crypto';
import type { Message } from 'amqplib';
import type { StoredFailedJob } from '../../contract/index.js';
import { textOf } from './reserved-message.js';
import { readDeath, readHeader } from './topology/index.js';

/** The id of a dead letter that has none: the same whenever it is read. */
function madeUpId({ properties, content }: Message): string {
  const hash = createHash('sha256')
    .update(String(properties.messageId ?? ''))
    .update(content);
  return hash.digest('hex').slice(0, 32);
}

/** A dead letter of a queue as the layers above know it. `workQueue` is the broker's name of the queue. */
export function failedJobIn(queue: string, workQueue: string, message: Message): StoredFailedJob {
  const { headers } = message.properties;
  const death = readDeath(headers, workQueue);
  return {
    id: death.id ?? madeUpId(message),
    queue,
    header: readHeader(headers, 'classic'),
    body: textOf(message.content),
    failure: death.failure,
    // What a stranger put there says nothing of its time.
    failedAt: death.failedAt ?? new Date(0),
  };
}

import type { BaseAdapter } from '@bull-board/api/dist/queueAdapters/base.js';
import type { INestApplicationContext } from '@nestjs/common';
import { assertQueueName } from '../contract/index.js';
import { QueueApplication } from '../module/queue-application.js';
import { ConnectionDirectory, DEFAULT_CONNECTION, Queue, type QueueConnection } from '../queue/index.js';
import { watchedQueues } from '../worker/index.js';
import { BoardQueue } from './board-queue.js';
import type { BullBoardOptions } from './bull-board-options.js';
import { checkBoardOptions } from './check-board-options.js';
import { JobPresenter } from './job-presenter.js';
import { QueueBoardAdapter } from './queue-board.adapter.js';

/**
 * The queues of an application as `createBullBoard({ queues })` takes them: for each connection those that its listed
 * jobs name, as a worker watches them, and those of `queues`. Reads no backend until the board is looked at. Arguments
 * are redacted by the classes that the application lists; of a class that it does not list, all are.
 *
 * Errors: `InvalidQueueArgumentException` for an unknown connection or an option of the wrong form.
 *
 * @example createBullBoard({ queues: bullBoardQueues(app), serverAdapter })
 * @publicApi
 */
export function bullBoardQueues(
  app: Pick<INestApplicationContext, 'get'>,
  options: BullBoardOptions = {},
): BaseAdapter[] {
  checkBoardOptions(options);
  const directory = app.get(ConnectionDirectory, { strict: false });
  const { registry } = app.get(QueueApplication, { strict: false }).jobs;
  const presenter = new JobPresenter(registry, options);
  const connections = options.connections?.map((name) => directory.get(name)) ?? directory.all();
  const further = options.queues ?? {};
  for (const name of Object.keys(further)) directory.get(name);
  return connections.flatMap((connection) => {
    const listed = watchedQueues(registry, connection.name, DEFAULT_CONNECTION);
    const added = Object.hasOwn(further, connection.name) ? (further[connection.name] ?? []) : [];
    for (const queue of added) assertQueueName(queue, 'bullBoardQueues(): queues');
    return [...new Set([...listed, ...added])].map((queue) => adapterOf(connection, queue));
  });

  function adapterOf(connection: QueueConnection, queue: string): BaseAdapter {
    const board = new BoardQueue(queue, new Queue(connection, directory), options.timeoutMs);
    return new QueueBoardAdapter(board, presenter, options.readOnly ?? false);
  }
}

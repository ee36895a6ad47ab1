import type { EntityManager } from '@mikro-orm/core';
import type { Queue } from '@kinetis/nestjs-queue';
import { BookOrder } from './order.jobs.js';

/** The row and the job are committed together, or neither is. */
export function placeOrder(em: EntityManager, queue: Queue, order: number): Promise<string> {
  return em.transactional(async (transaction) => {
    await transaction
      .getConnection()
      .execute('insert into orders (n) values (?)', [order], 'run', transaction.getTransactionContext());
    return queue.push(new BookOrder(order), { transaction });
  });
}

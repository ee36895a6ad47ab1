import { MikroORM } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { ImportOrders } from './import-orders.job.js';

@Injectable()
export class Uploads {
  constructor(
    private readonly queue: Queue,
    private readonly orm: MikroORM,
  ) {}

  /** The row and the job are committed together. False, and neither, while an import of the shop is on its way. */
  async store(file: string, shop: string): Promise<boolean> {
    return this.orm.em.fork().transactional(async (transaction) => {
      const options = { transaction, uniqueKey: `import-${shop}` };
      const id = await this.queue.push(new ImportOrders(file, shop), options);
      if (id === null) return false;
      const context = transaction.getTransactionContext();
      await transaction
        .getConnection()
        .execute('insert into uploads (file) values (?)', [file], 'run', context);
      return true;
    });
  }
}

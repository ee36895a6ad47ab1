import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Handle, Job, Queue } from '@kinetis/nestjs-queue';
import { Ledger } from './ledger.js';

const SHARDS = 4;
/** From so many waiting jobs on a tenant's next ones go behind those of others. */
const MANY = 100;

@Job()
export class ExportData {
  constructor(
    readonly tenant: string,
    readonly table: string,
  ) {}

  @Handle()
  handle(ledger: Ledger): void {
    ledger.write(`${this.tenant} exported ${this.table}`);
  }
}

/** exports-0 to exports-3: a tenant always has the same, and names of queues stay few and lawful. */
export function queueOf(tenant: string): string {
  return `exports-${createHash('sha256').update(tenant).digest().readUInt32BE() % SHARDS}`;
}

@Injectable()
export class Exports {
  constructor(private readonly queue: Queue) {}

  async request(tenant: string, tables: readonly string[]): Promise<void> {
    const queue = queueOf(tenant);
    const isBusy = tables.length >= MANY || (await this.queue.size(queue)) >= MANY;
    const jobs = tables.map((table) => ({
      job: new ExportData(tenant, table),
      queue,
      priority: isBusy ? -10 : 0,
    }));
    await this.queue.pushMany(jobs);
  }
}

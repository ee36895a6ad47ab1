import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Database } from './database.js';
import { Ledger } from './ledger.js';

/**
 * - `quick`: returns at once.
 * - `hold`: runs until the file named by HOLD_FILE exists.
 * - `outlive`: the first attempt freezes the whole process for one and a half leases, as a stalled virtual machine would;
 *   later ones run for most of a lease, so that they are running when the first comes back.
 */
export type WorkKind = 'quick' | 'hold' | 'outlive';

/** Writes to the ledger when it starts and when it ends. */
@Job({ queue: 'work', maxAttempts: 3 })
export class Work {
  constructor(
    readonly n: number,
    readonly kind: string,
  ) {}

  @Handle()
  async handle(ledger: Ledger, database: Database, delivery: JobDelivery): Promise<void> {
    const line = { id: delivery.id, n: this.n, attempt: delivery.attempts };
    ledger.write('start', line);
    const startedAt = performance.now();
    delivery.signal.addEventListener('abort', () => {
      ledger.write('aborted', { ...line, afterMs: performance.now() - startedAt });
    });
    if (this.kind === 'hold') await fileExists(process.env['HOLD_FILE'] ?? '');
    if (this.kind === 'outlive')
      await outlive(delivery.attempts, Number(process.env['LEASE_SECONDS']) * 1_000);
    ledger.write('end', { ...line, databaseOpen: database.open });
  }
}

async function fileExists(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(10);
}

async function outlive(attempt: number, leaseMs: number): Promise<void> {
  if (attempt > 1) await sleep(0.9 * leaseMs);
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * leaseMs);
}

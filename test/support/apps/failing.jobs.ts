import { setTimeout as sleep } from 'node:timers/promises';
import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Ledger } from './ledger.js';

/** Where in a delivery its worker is killed. */
export const KILL_POINTS = ['before the work', 'after the work', 'after the ack'] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** A step of a chain; its first delivery ends with its worker's process, killed at the given point. */
@Job({ queue: 'steps' })
export class Step {
  constructor(
    readonly chain: number,
    readonly step: number,
    readonly killPoint: string,
  ) {}

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    const { chain, step } = this;
    ledger.write('start', { id: delivery.id, chain, step, attempt: delivery.attempts });
    if (delivery.attempts > 1) return;
    if (this.killPoint === 'before the work') process.kill(process.pid, 'SIGKILL');
    ledger.write('worked', { id: delivery.id, chain, step });
    if (this.killPoint === 'after the work') process.kill(process.pid, 'SIGKILL');
    if (this.killPoint === 'after the ack') killAfterAck.add(delivery.id);
  }
}

/** Deliveries after whose ack this process is to be killed, by job. */
export const killAfterAck = new Set<string>();

/** Ends its worker each time. */
@Job({ queue: 'exits' })
export class Exit {
  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    ledger.write('start', { id: delivery.id, attempt: delivery.attempts });
    process.exit(1);
  }
}

/** Runs on for ever, whatever its signal says. */
@Job({ queue: 'deaf', timeoutSeconds: 0.2 })
export class Deaf {
  @Handle()
  async handle(ledger: Ledger, delivery: JobDelivery): Promise<void> {
    ledger.write('start', { id: delivery.id, attempt: delivery.attempts });
    delivery.signal.addEventListener('abort', () => ledger.write('aborted', { id: delivery.id }));
    for (;;) await sleep(60_000);
  }
}

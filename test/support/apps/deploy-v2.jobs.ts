import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { DeployJob } from './deploy-job.js';
import { Ledger } from './ledger.js';

/** Version 1 knows no currency. */
@Job({ name: 'Invoice', queue: 'deploy' })
export class Invoice extends DeployJob {
  constructor(
    readonly n: number,
    readonly currency: string,
  ) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, [this.currency]);
  }
}

/** Version 1 knows no copies, which are one where nothing is said. */
@Job({ name: 'Receipt', queue: 'deploy' })
export class Receipt extends DeployJob {
  constructor(
    readonly n: number,
    readonly copies: number = 1,
  ) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, [this.copies]);
  }
}

/** Version 1 has a colour too. */
@Job({ name: 'Letter', queue: 'deploy' })
export class Letter extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

/** Called Notify in version 1. */
@Job({ name: 'Notice', aliases: ['Notify'], queue: 'deploy' })
export class Notice extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

/** Called Purge in version 1, and without its name among the aliases. */
@Job({ name: 'Sweep', queue: 'deploy' })
export class Sweep extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

export const version2 = [Invoice, Receipt, Letter, Notice, Sweep];

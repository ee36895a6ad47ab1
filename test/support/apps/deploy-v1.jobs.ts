import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { DeployJob } from './deploy-job.js';
import { Ledger } from './ledger.js';

/** Version 2 adds an argument that has no default. */
@Job({ name: 'Invoice', queue: 'deploy' })
export class Invoice extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

/** Version 2 adds an argument with a default. */
@Job({ name: 'Receipt', queue: 'deploy' })
export class Receipt extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

/** Version 2 has no colour any more. */
@Job({ name: 'Letter', queue: 'deploy' })
export class Letter extends DeployJob {
  constructor(
    readonly n: number,
    readonly colour: string,
  ) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, [this.colour]);
  }
}

/** Called Notice in version 2, which knows the old name too. */
@Job({ name: 'Notify', queue: 'deploy' })
export class Notify extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

/** Called Sweep in version 2, which does not know the old name. */
@Job({ name: 'Purge', queue: 'deploy' })
export class Purge extends DeployJob {
  constructor(readonly n: number) {
    super();
  }

  @Handle()
  handle(ledger: Ledger, delivery: JobDelivery): void {
    this.done(ledger, delivery, this.n, []);
  }
}

export const version1 = [Invoice, Receipt, Letter, Notify, Purge];

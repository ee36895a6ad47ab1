import { Injectable } from '@nestjs/common';
import {
  JobDeferred,
  JobFailedPermanently,
  JobMalformed,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
  OnJobEvent,
} from '@kinetis/nestjs-queue';
import type { SettledOperation } from '../ledger/entries.js';
import { LedgerWriter } from '../ledger/ledger-writer.js';

/** Writes what the worker was told about each settlement. */
@Injectable()
export class OutcomesListener {
  constructor(private readonly ledger: LedgerWriter) {}

  @OnJobEvent(JobSucceeded)
  acked({ id, attempts: attempt }: JobSucceeded): void {
    this.ledger.write({ kind: 'settle-ok', id, attempt, operation: 'ack' });
  }

  @OnJobEvent(JobReleased)
  released({ id, attempts: attempt }: JobReleased): void {
    this.ledger.write({ kind: 'settle-ok', id, attempt, operation: 'release' });
  }

  @OnJobEvent(JobDeferred)
  deferred({ id, attempts: attempt }: JobDeferred): void {
    this.ledger.write({ kind: 'settle-ok', id, attempt, operation: 'defer' });
  }

  @OnJobEvent(JobFailedPermanently)
  failed({ id, attempts: attempt, cause }: JobFailedPermanently): void {
    this.ledger.write({ kind: 'settle-ok', id, attempt, operation: 'fail', cause });
  }

  @OnJobEvent(JobSettlementLost)
  lost({ id, attempts: attempt, operation }: JobSettlementLost): void {
    this.ledger.write({ kind: 'settle-stale', id, attempt, operation: operation as SettledOperation });
  }

  @OnJobEvent(JobSettlementUnknown)
  unknown({ id, attempts: attempt, operation }: JobSettlementUnknown): void {
    this.ledger.write({ kind: 'settle-unknown', id, attempt, operation: operation as SettledOperation });
  }

  @OnJobEvent(JobMalformed)
  malformed(): void {
    this.ledger.write({ kind: 'malformed' });
  }
}

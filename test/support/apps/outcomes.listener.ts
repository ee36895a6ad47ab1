import { Injectable } from '@nestjs/common';
import {
  type JobEvent,
  JobFailedPermanently,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
  OnJobEvent,
} from '@kinetis/nestjs-queue';
import { Ledger } from './ledger.js';

/** Writes each outcome to the ledger. */
@Injectable()
export class OutcomesListener {
  constructor(private readonly ledger: Ledger) {}

  @OnJobEvent(JobSucceeded, JobReleased, JobFailedPermanently, JobSettlementLost, JobSettlementUnknown)
  record(event: JobEvent): void {
    this.ledger.write(event.constructor.name, { id: event.id, attempt: event.attempts });
  }
}

import { Injectable, Module } from '@nestjs/common';
import {
  JobFailedPermanently,
  JobReleased,
  JobSucceeded,
  KinetisQueueModule,
  OnJobEvent,
  provideJobs,
} from '@kinetis/nestjs-queue';
import { Deaf, Exit, killAfterAck, Step } from './failing.jobs.js';
import { Ledger } from './ledger.js';
import { fixtureConnection, fixtureLedger } from './fixture-environment.js';

/** Writes each outcome to the ledger, and ends the process where a job asked for that. */
@Injectable()
class FailingOutcomes {
  constructor(private readonly ledger: Ledger) {}

  @OnJobEvent(JobSucceeded, JobReleased, JobFailedPermanently)
  record(event: JobSucceeded | JobReleased | JobFailedPermanently): void {
    const cause = event instanceof JobFailedPermanently ? event.cause : null;
    this.ledger.write(event.constructor.name, { id: event.id, attempt: event.attempts, cause });
    if (event instanceof JobSucceeded && killAfterAck.has(event.id)) process.kill(process.pid, 'SIGKILL');
  }
}

@Module({ providers: [fixtureLedger, FailingOutcomes, ...provideJobs(Step, Exit, Deaf)] })
class FailingModule {}

@Module({
  imports: [FailingModule, KinetisQueueModule.forRoot({ connections: { default: fixtureConnection() } })],
})
export class FailingAppModule {}

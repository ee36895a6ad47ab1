import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import {
  JobDeferred,
  JobFailedPermanently,
  type JobClass,
  type JobEvent,
  JobReconstructionException,
  JobReleased,
  KinetisQueueModule,
  OnJobEvent,
  provideJobs,
  runWorker,
} from '@kinetis/nestjs-queue';
import { fixtureConnection, fixtureLedger } from './fixture-environment.js';
import { Ledger } from './ledger.js';

/** Writes down what comes back, with the reason that today's code gave. */
@Injectable()
class DeployOutcomes {
  constructor(private readonly ledger: Ledger) {}

  @OnJobEvent(JobDeferred, JobReleased, JobFailedPermanently)
  record(event: JobEvent): void {
    const error: unknown = 'error' in event ? event.error : null;
    this.ledger.write(event.constructor.name, {
      id: event.id,
      attempt: event.attempts,
      reason: error instanceof JobReconstructionException ? error.reason : null,
    });
  }
}

/** The worker of one version of an application: the same but for its jobs. */
export async function runDeployedWorker(jobs: readonly JobClass[]): Promise<void> {
  @Module({ providers: [fixtureLedger, DeployOutcomes, ...provideJobs(...jobs)] })
  class JobsModule {}

  @Module({
    imports: [JobsModule, KinetisQueueModule.forRoot({ connections: { default: fixtureConnection() } })],
  })
  class AppModule {}

  await runWorker(AppModule);
}

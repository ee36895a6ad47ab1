import { JobReconstructionException, type QueuedJob } from '../contract/index.js';
import { type JobDefinition, rebuildJob } from '../jobs/index.js';

/** The job of a delivery. Throws `JobReconstructionException` where today's code cannot make it. */
export function rebuild(definition: JobDefinition | null, job: QueuedJob): object {
  if (definition !== null) return rebuildJob(definition, job.args);
  throw new JobReconstructionException(
    'unknown-class',
    `Expected "${job.class}" to be a job that this application lists; none has that name or alias. Is its class in a ` +
      `provideJobs(…) of a module that is imported here? After a rename, give the new class @Job({ aliases: ['${job.class}'] }).`,
  );
}

import type { Provider } from '@nestjs/common';
import { JobDeclarationException } from '../contract/index.js';
import { jobDefinition } from '../jobs/job-definition-of.js';
import type { JobClass } from '../jobs/index.js';
import { listFailedMethod, listJob } from '../jobs/scope/index.js';

/**
 * Lists jobs among the providers of the module that has what their `handle()` needs, and `failed()` with `@OnJobFailed()`:
 * `providers: [Mailer, ...provideJobs(SendWelcomeEmail)]`. That registers the classes in the application, gives
 * `handle()` what this module sees, and fails at boot when a parameter cannot be resolved. Only a worker needs it:
 * pushing needs the decorated class and nothing else.
 *
 * @throws JobDeclarationException for a class without `@Job()`, or one that is undefined
 * @publicApi
 */
export function provideJobs(...classes: readonly JobClass[]): Provider[] {
  return classes.flatMap((target, index) => {
    if (target === undefined) {
      throw new JobDeclarationException(
        `provideJobs: expected a job class as argument ${index + 1}, came undefined, as in a circular import. Import ` +
          "the job's file in one direction only.",
      );
    }
    const definition = jobDefinition(target);
    return [listJob(definition), ...listFailedMethod(definition)];
  });
}

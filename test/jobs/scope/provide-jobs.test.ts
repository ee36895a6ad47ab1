import { Injectable } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { JobDeclarationException } from '../../../lib/contract/index.js';
import { Handle, Job, type JobClass, JobDelivery } from '../../../lib/jobs/index.js';
import { provideJobs } from '../../../lib/module/provide-jobs.js';
import { aModule, cleanUpAfterEach, start } from './application.js';

@Injectable()
class Mailer {}

@Job()
class SendMail {
  @Handle()
  handle(mailer: Mailer, delivery: JobDelivery) {
    return { mailer, delivery };
  }
}

@Job({ inject: [Mailer] })
class SendDigest {
  handle(mailer: Mailer) {
    return mailer;
  }
}

class Undecorated {
  handle() {}
}

cleanUpAfterEach();

describe('provideJobs', () => {
  it("gives decorated jobs their module's providers", async () => {
    const app = await start(
      aModule('MailModule', { providers: [Mailer, ...provideJobs(SendMail, SendDigest)] }),
    );
    expect(app.discovered.definitions.map((definition) => definition.target)).toEqual([SendMail, SendDigest]);
    const got = await app.deliver<ReturnType<SendMail['handle']>>(SendMail);
    expect(got.mailer).toBeInstanceOf(Mailer);
    expect(got.delivery).toBeInstanceOf(JobDelivery);
    expect(await app.deliver(SendDigest)).toBe(got.mailer);
  });

  it('refuses a class without @Job(), and one that a circular import left undefined', () => {
    expect(() => provideJobs(Undecorated)).toThrow(JobDeclarationException);
    const missing: JobClass[] = [];
    missing.length = 1;
    expect(() => provideJobs(SendMail, ...missing)).toThrow(/argument 2, came undefined/);
  });
});

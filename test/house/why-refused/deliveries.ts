import { Injectable } from '@nestjs/common';
import {
  Job,
  type JobClass,
  JobFailedPermanently,
  type JobInstance,
  KinetisQueueModule,
  memory,
  OnJobEvent,
  provideJobs,
  Queue,
} from '@kinetis/nestjs-queue';
import { boot, type Examples } from './example.js';

@Injectable()
class Failures {
  readonly first: Promise<unknown>;
  #tell: (error: unknown) => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => (this.#tell = resolve));
  }

  @OnJobEvent(JobFailedPermanently)
  failed({ error }: JobFailedPermanently): void {
    this.#tell(error);
  }
}

/** Pushes what older code would, to a worker that knows other classes, without a grace; throws what it fails with. */
function delivered(job: JobInstance, listed: readonly JobClass[]): Promise<void> {
  const queue = KinetisQueueModule.forRoot({
    connections: { default: memory() },
    worker: { queues: ['default'], schemaGraceSeconds: 0 },
  });
  return boot({ imports: [queue], providers: [Failures, ...provideJobs(...listed)] }, async (app) => {
    await app.get(Queue).push(job);
    throw await app.get(Failures).first;
  });
}

@Job({ name: 'mail.send' })
class Before {
  constructor(readonly address: string) {}

  handle(): void {}
}

/** Refused by a worker that got the job. */
export const deliveries: Examples = {
  'not-listed': () => {
    @Job()
    class SendMail {
      handle(): void {}
    }
    // shown: not-listed
    const providers = [...provideJobs(/* no SendMail */)];
    // end
    return delivered(new SendMail(), providers as []);
  },
  'argument-missing': () => {
    // shown: argument-missing
    @Job({ name: 'mail.send' })
    class SendMail {
      constructor(
        readonly address: string,
        readonly language: string, // new; what waits has none
      ) {}

      handle(): void {}
    }
    // end
    return delivered(new Before('ada@example.com'), [SendMail]);
  },
  'argument-extra': () => {
    // shown: argument-extra
    @Job({ name: 'mail.send' })
    class SendMail {
      handle(): void {} // the address was taken away; what waits has one
    }
    // end
    return delivered(new Before('ada@example.com'), [SendMail]);
  },
  'argument-type': () => {
    // shown: argument-type
    @Job({ name: 'mail.send' })
    class SendMail {
      constructor(readonly address: number) {} // was a string

      handle(): void {}
    }
    // end
    return delivered(new Before('ada@example.com'), [SendMail]);
  },
  'constructor-throws': () => {
    // shown: constructor-throws
    @Job({ name: 'mail.send' })
    class SendMail {
      constructor(readonly address: string) {
        if (!address.endsWith('.org')) throw new Error('not one of ours');
      }

      handle(): void {}
    }
    // end
    return delivered(new Before('ada@example.com'), [SendMail]);
  },
};

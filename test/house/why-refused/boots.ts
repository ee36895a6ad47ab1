import { Injectable } from '@nestjs/common';
import {
  Handle,
  InjectQueue,
  Job,
  KinetisQueueModule,
  memory,
  provideJobs,
  Queue,
} from '@kinetis/nestjs-queue';
import { boot, type Examples } from './example.js';

interface MailApi {
  send(address: string): Promise<void>;
}

class Mailer {}

const queueModule = KinetisQueueModule.forRoot({ connections: { default: memory() } });

/** Refused when the application boots, and a worker with it. */
export const boots: Examples = {
  interface: () => {
    // shown: interface
    @Job()
    class SendMail {
      constructor(readonly address: string) {}

      @Handle()
      async handle(mailer: MailApi): Promise<void> {
        await mailer.send(this.address);
      }
    }
    // end
    return boot({ imports: [queueModule], providers: [...provideJobs(SendMail)] });
  },
  'no-metadata': () => {
    // shown: no-metadata
    @Job()
    class SendMail {
      handle(mailer: Mailer): void {
        console.log(mailer);
      }
    }
    // end
    return boot({ imports: [queueModule], providers: [Mailer, ...provideJobs(SendMail)] });
  },
  'not-provided': () => {
    @Job()
    class SendMail {
      @Handle()
      handle(_mailer: Mailer): void {}
    }
    // shown: not-provided
    const providers = [...provideJobs(SendMail)]; // without Mailer, which its handle() takes
    // end
    return boot({ imports: [queueModule], providers });
  },
  'same-name': () => {
    @Job({ name: 'mail.send' })
    class SendMail {
      handle(): void {}
    }
    // shown: same-name
    @Job({ name: 'mail.send' })
    class SendNewsletter {
      handle(): void {}
    }
    // end
    return boot({ imports: [queueModule], providers: [...provideJobs(SendMail, SendNewsletter)] });
  },
  'unknown-connection': () => {
    // shown: unknown-connection
    @Injectable()
    class Invoices {
      constructor(@InjectQueue('ledgr') readonly queue: Queue) {}
    }
    // end
    return boot({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory(), ledger: memory() } })],
      providers: [Invoices],
    });
  },
};

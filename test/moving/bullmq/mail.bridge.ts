import { Injectable } from '@nestjs/common';
import { Queue } from '@kinetis/nestjs-queue';
import { SendWelcome } from './send-welcome.job.js';

/** What is read of a BullMQ job. */
export interface OldJob {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: { readonly email: string; readonly plan?: string };
  readonly timestamp: number;
  readonly attemptsMade: number;
  readonly opts: { readonly attempts?: number | undefined; readonly delay?: number | undefined };
}

/** Takes the place of the old processor: what is left in BullMQ is pushed here when its turn comes. */
@Injectable()
export class MailBridge {
  constructor(private readonly queue: Queue) {}

  /** BullMQ calls the job completed when this resolves, and keeps it when it rejects. */
  async process(old: OldJob): Promise<void> {
    const { attempts = 1, delay = 0 } = old.opts;
    await this.queue.push(jobOf(old), {
      delaySeconds: Math.max(0, old.timestamp + delay - Date.now()) / 1_000, // above 0 for one that was promoted
      maxAttempts: Math.max(1, attempts - old.attemptsMade), // what is left of them
      uniqueKey: `bullmq-mail-${old.id}`, // the same job may come here twice
      metadata: { bullmqId: old.id ?? '' },
    });
  }
}

/** By the name that was given to `queue.add()`. */
function jobOf({ name, data }: OldJob): SendWelcome {
  if (name === 'welcome') return new SendWelcome(data.email, data.plan ?? 'free');
  throw new Error(`No job class for the name "${name}".`);
}

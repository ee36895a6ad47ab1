import { Injectable } from '@nestjs/common';
import { appendLine } from '../append-line.js';
import { readSettings } from '../settings.js';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Stands for a mail server: a mail is a line of the outbox file. */
@Injectable()
export class Mailer {
  readonly #outboxFile = readSettings().outboxFile;

  async send(mail: Mail, options: { readonly signal: AbortSignal }): Promise<void> {
    options.signal.throwIfAborted();
    await appendLine(this.#outboxFile, JSON.stringify(mail));
  }
}

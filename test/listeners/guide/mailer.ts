import { Injectable } from '@nestjs/common';

/** Stands for a mail server. */
@Injectable()
export class Mailer {
  readonly sent: string[] = [];

  send(to: string, text: string): Promise<void> {
    this.sent.push(`${to}: ${text}`);
    return Promise.resolve();
  }
}

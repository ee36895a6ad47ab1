import { Injectable } from '@nestjs/common';

@Injectable()
export class Mailer {
  readonly sent: string[] = [];
  closed = false;
  counted = 0;

  async send(email: string, text: string): Promise<void> {
    if (!email.includes('@')) throw new Error('That is no address.');
    this.sent.push(`${email}: ${text}`);
  }
}

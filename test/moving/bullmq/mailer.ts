import { Injectable } from '@nestjs/common';

@Injectable()
export class Mailer {
  readonly sent: string[] = [];
  refusals = 0;

  async welcome(email: string, plan: string): Promise<void> {
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new Error('The mail server is busy.');
    }
    this.sent.push(`${email} (${plan})`);
  }
}

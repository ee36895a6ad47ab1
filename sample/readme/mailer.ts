import { Injectable } from '@nestjs/common';

@Injectable()
export class Mailer {
  async send(to: string, options: { readonly signal: AbortSignal }): Promise<void> {
    options.signal.throwIfAborted();
    process.stdout.write(`A mail to ${to}\n`);
  }
}

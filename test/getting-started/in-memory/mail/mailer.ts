import { Injectable } from '@nestjs/common';

@Injectable()
export class Mailer {
  send(to: string): void {
    console.log(`A mail to ${to}`);
  }
}

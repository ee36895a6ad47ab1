import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';
import { Injectable } from '@nestjs/common';

@Injectable()
export class Greeter {
  readonly greeted: string[] = [];
}

@Job({ queue: 'greetings' })
export class Greet {
  constructor(
    readonly name: string,
    readonly at: Date,
  ) {}

  @Handle()
  handle(greeter: Greeter, delivery: JobDelivery): void {
    greeter.greeted.push(`${this.name} ${this.at.toISOString()} attempt ${delivery.attempts}`);
  }
}

import { Injectable } from '@nestjs/common';
import { Handle, Job, JobDelivery } from '@kinetis/nestjs-queue';

@Injectable()
export class Greeter {
  readonly greeted: string[] = [];

  greet(line: string): void {
    this.greeted.push(line);
  }
}

@Job({ maxAttempts: 3 })
export class Greet {
  constructor(
    readonly name: string,
    readonly at: Date,
  ) {}

  @Handle()
  handle(greeter: Greeter, delivery: JobDelivery): void {
    greeter.greet(`${this.name} ${this.at.toISOString()} attempt ${delivery.attempts}`);
  }
}

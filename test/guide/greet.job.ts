import { Handle, Job } from '@kinetis/nestjs-queue';
import { Journal } from './journal.js';

@Job({ name: 'mail.greet', aliases: ['SendGreeting'] }) // was class SendGreeting, jobs of which may still wait
export class Greet {
  constructor(
    readonly who: string,
    readonly language: string = 'en', // new, with a default: jobs pushed before have none
  ) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`greeted ${this.who} in ${this.language}`);
  }
}

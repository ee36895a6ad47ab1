import { Injectable } from '@nestjs/common';
import { Handle, Job, Sensitive } from '../../../lib/index.js';

export const QUEUE = 'board-test';
export const SECRET = 'secret-token-4711';

/** Says whether invoices can be sent, and which were. */
@Injectable()
export class Post {
  isOpen = true;
  readonly sent: string[] = [];
}

@Job({ queue: QUEUE, maxAttempts: 1 })
export class SendInvoice {
  constructor(
    readonly customer: string,
    @Sensitive() readonly token: string = SECRET,
  ) {}

  @Handle()
  handle(post: Post): void {
    if (!post.isOpen) throw new Error(`No post for ${this.customer} with ${this.token}`);
    post.sent.push(this.customer);
  }
}

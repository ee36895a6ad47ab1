import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { UserRegistered } from './user-registered.event.js';

@Injectable()
export class Accounts {
  constructor(private readonly emitter: EventEmitter2) {}

  /** Resolves when the job of every listener is stored. */
  async register(userId: number, email: string, token: string): Promise<void> {
    await this.emitter.emitAsync('user.registered', new UserRegistered(userId, email, new Date(), token));
  }

  /** Does not wait: a push that fails is only logged. */
  remove(userId: number): void {
    this.emitter.emit('user.removed', userId);
  }
}

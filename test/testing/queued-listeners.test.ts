import { AssertionError } from 'node:assert';
import { Injectable } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import { expect, test } from 'vitest';
import { KinetisQueueListenersModule, OnQueuedEvent } from '../../lib/event-emitter.js';
import { KinetisQueueModule } from '../../lib/index.js';
import { drain, recordQueues } from '../../lib/testing.js';
import { unreachable } from './shop.js';

@Injectable()
class Welcomes {
  readonly sent: string[] = [];

  @OnQueuedEvent('user.registered', { id: 'welcome', queue: 'mail' })
  welcome(email: string): void {
    this.sent.push(email);
  }

  @OnQueuedEvent('user.registered', { id: 'password', queue: 'mail', sensitive: true })
  password(_email: string): void {}
}

test('the job of a queued listener is found by its id, its arguments redacted where they are sensitive', async () => {
  const builder = Test.createTestingModule({
    imports: [
      EventEmitterModule.forRoot(),
      KinetisQueueModule.forRoot({ connections: { default: unreachable } }),
      KinetisQueueListenersModule,
    ],
    providers: [Welcomes],
  });
  const queues = recordQueues(builder);
  const app = await builder.compile();
  try {
    app.useLogger(false);
    await app.init();
    await app.get(EventEmitter2).emitAsync('user.registered', 'ada@example.com');
    queues.pushed('welcome', { args: { payload: 'ada@example.com' } }).pushedOn('mail');
    queues.notPushed('farewell');
    expect(() => queues.notPushed('password')).toThrow(AssertionError);
    expect(() => queues.notPushed('password')).not.toThrow(/ada@/);
    expect(await drain(app)).toHaveLength(2);
    expect(app.get(Welcomes).sent).toEqual(['ada@example.com']);
  } finally {
    await app.close();
  }
});

import { Inject, Injectable, Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { afterEach, expect, it } from 'vitest';
import { KinetisQueueListenersModule, OnQueuedEvent, QueuedEvent } from '../../lib/event-emitter.js';
import { waitFor } from '../support/eventually.js';
import { Journal } from '../module/support/jobs.js';
import { type ApplicationUnderTest, open, start } from './support/application.js';

let running: ApplicationUnderTest | null = null;

afterEach(async () => {
  await running?.app.close();
  running = null;
});

class Circle {
  readonly self = this;
}

@Injectable()
class Inline {
  constructor(readonly journal: Journal) {}

  @OnQueuedEvent('circle.*', { inline: true })
  circle(circle: Circle, event: QueuedEvent): string {
    this.journal.write(`${circle.self === circle} ${event.name} ${event.delivery}`);
    return 'heard';
  }

  @OnQueuedEvent('fails', { inline: true })
  fails(): void {
    throw new RangeError('by the listener');
  }
}

@Injectable()
class Queued {
  constructor(readonly journal: Journal) {}

  @OnQueuedEvent('circle.*')
  any(n: number): void {
    this.journal.write(`any ${n}`);
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerEvent {
  constructor(
    readonly journal: Journal,
    @Inject(REQUEST) readonly request: unknown,
  ) {}

  @OnQueuedEvent('request')
  request_(n: number): void {
    this.journal.write(`${n}: ${JSON.stringify(this.request)}`);
  }
}

it('inline: the listener runs inside emitAsync(), with the very object, beside queued ones', async () => {
  running = await start([Inline], { wildcard: true, worker: false });
  const { emitter, journal, queue } = running;
  expect(await emitter.emitAsync('circle.closed', new Circle())).toEqual(['heard']);
  expect(journal.lines).toEqual(['true circle.closed null']);
  expect(await queue.size()).toBe(0);
});

it('inline: what it throws rejects emitAsync(), and is logged', async () => {
  running = await start([Inline], { worker: false });
  const { emitter, log } = running;
  await expect(emitter.emitAsync('fails')).rejects.toThrow(new RangeError('by the listener'));
  expect(log.lines).toContain('error: Listener Inline.fails failed on "fails". by the listener');
});

it('inline: what it throws in emit() is logged only', async () => {
  running = await start([Inline], { worker: false });
  const { emitter, log } = running;
  emitter.emit('fails');
  await waitFor('the line', () => log.lines.some((line) => line.includes('failed on "fails"')));
});

it('without a KinetisQueueModule queued listeners run inside emit(), and a line says so', async () => {
  @Module({
    imports: [EventEmitterModule.forRoot({ wildcard: true }), KinetisQueueListenersModule],
    providers: [Journal, Queued, PerEvent],
  })
  class AppModule {}
  running = await open(AppModule);
  const { emitter, journal, log } = running;
  await emitter.emitAsync('circle.drawn', 5);
  await emitter.emitAsync('request', 1);
  await emitter.emitAsync('request', 2, 'more');
  expect(journal.lines).toEqual(['any 5', '1: 1', '2: [2,"more"]']);
  expect(log.lines).toContain(
    'log: There is no KinetisQueueModule here: queued listeners run inside emit(): Queued.any, PerEvent.request_.',
  );
});

it('without an EventEmitter2 nothing is subscribed, and a warning says so', async () => {
  @Module({ imports: [KinetisQueueListenersModule], providers: [Journal, Queued] })
  class AppModule {}
  running = await open(AppModule);
  expect(running.log.lines).toContain(
    'warn: There is no EventEmitter2 here: no event of this process reaches its queued listeners. Import ' +
      'EventEmitterModule.forRoot() where events are emitted.',
  );
});

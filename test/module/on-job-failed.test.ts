import { Inject, Injectable, Module, Scope } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type BackendFactory,
  FailJobException,
  Handle,
  Job,
  type JobClass,
  JobDeclarationException,
  JobDelivery,
  KinetisQueueModule,
  memory,
  OnJobFailed,
  provideJobs,
  Queue,
  type QueueBackend,
  sync,
  UnresolvableJobParameterException,
} from '../../lib/index.js';
import { Journal } from './support/jobs.js';

@Injectable({ scope: Scope.REQUEST })
class Transaction {
  constructor(
    private readonly journal: Journal,
    readonly delivery: JobDelivery,
  ) {}

  [Symbol.dispose](): void {
    this.journal.write('disposed');
  }
}

@Job()
class Charge {
  constructor(
    readonly order: string,
    readonly final: boolean,
  ) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`charge ${this.order}`);
    throw this.final ? new FailJobException('no such order') : new Error('busy');
  }

  @OnJobFailed()
  failed(error: unknown, journal: Journal, transaction: Transaction, delivery: JobDelivery): void {
    const own = transaction.delivery === delivery ? 'its own delivery' : 'another delivery';
    journal.write(`failed ${this.order}: ${(error as Error).message}, ${own}, attempt ${delivery.attempts}`);
  }
}

@Job()
class Quarrel {
  @Handle()
  handle(): void {
    throw new Error('first');
  }

  @OnJobFailed()
  failed(): never {
    throw new Error('second');
  }
}

@Job()
class Note {
  constructor(readonly text: string) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(this.text);
  }

  @OnJobFailed()
  failed(_error: unknown, journal: Journal): void {
    journal.write('never');
  }
}

let close = async (): Promise<void> => undefined;
afterEach(() => close());

interface StartOptions {
  readonly backend?: BackendFactory;
  readonly jobs?: readonly JobClass[];
}

async function start({ backend = memory(), jobs = [Charge, Quarrel, Note] }: StartOptions = {}) {
  @Module({
    imports: [
      KinetisQueueModule.forRoot({
        connections: { default: backend },
        worker: { queues: ['default'], maxAttempts: 2 },
      }),
    ],
    providers: [Journal, Transaction, { provide: 'greeting', useValue: 'hello' }, ...provideJobs(...jobs)],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  close = () => app.close();
  return { queue: app.get(Queue), journal: app.get(Journal) };
}

describe('@OnJobFailed', () => {
  test('is called once after a job was given up on, with the error and providers of its delivery', async () => {
    const { queue, journal } = await start();
    await queue.push(new Charge('A', false));
    await journal.has(4);
    await queue.push(new Charge('B', true));
    await journal.has(7);
    expect(journal.lines).toEqual([
      'charge A',
      'charge A',
      'failed A: busy, its own delivery, attempt 2',
      'disposed',
      'charge B',
      'failed B: no such order, its own delivery, attempt 1',
      'disposed',
    ]);
  });

  test('is called only after the backend has accepted the failure', async () => {
    const held = memory();
    let answer: 'stale' | null = 'stale';
    const backend: BackendFactory = async (context) => {
      const inner = await held(context);
      const settle = inner.settle.bind(inner);
      const scripted: QueueBackend['settle'] = async (settlements) => {
        if (answer === null || settlements[0]?.operation !== 'fail') return settle(settlements);
        answer = null;
        return [{ status: 'stale' }];
      };
      inner.settle = scripted;
      return inner;
    };
    const { queue, journal } = await start({ backend });
    await queue.push(new Charge('A', true));
    await queue.push(new Note('after'));
    await journal.has(2);
    expect(journal.lines).toEqual(['charge A', 'after']);
  });

  test('that throws changes nothing: the job is where it belongs, and the worker goes on', async () => {
    const { queue, journal } = await start();
    await queue.push(new Quarrel(), { maxAttempts: 1 });
    await queue.push(new Note('after'));
    await journal.has(1);
    expect(await queue.counts()).toMatchObject({ ready: 0, failed: 1 });
  });

  test('is not called where a push runs the job itself', async () => {
    const { queue, journal } = await start({ backend: sync() });
    await expect(queue.push(new Charge('A', true))).rejects.toThrow('no such order');
    expect(journal.lines).toEqual(['charge A']);
  });
});

interface Anything {
  readonly any: unknown;
}

@Job()
class Unknown {
  @Handle()
  handle(): void {}

  @OnJobFailed()
  failed(_error: unknown, _what: Anything): void {}
}

@Job()
class Undecorated extends Charge {
  override failed(error: unknown, journal: Journal): void {
    journal.write(`own failed: ${(error as Error).message}`);
  }
}

/** Nest keeps `@Inject` without the method's name: the types tell whose it is. */
@Job()
class Shared {
  @Handle()
  handle(_first: Journal, journal: Journal): void {
    journal.write('handled');
    throw new FailJobException('no');
  }

  @OnJobFailed()
  failed(_error: unknown, @Inject('greeting') greeting: unknown, journal: Journal): void {
    journal.write(`greeting ${String(greeting)}`);
  }
}

@Job()
class ByTokens {
  @Handle()
  handle(): void {
    throw new FailJobException('no');
  }

  @OnJobFailed({ inject: ['greeting', Journal] })
  failed(_error: unknown, greeting: string, journal: Journal): void {
    journal.write(`greeting ${greeting}`);
  }
}

describe('the parameters of a method with @OnJobFailed', () => {
  test('are checked at boot, with the place and the mend', async () => {
    const started = start({ jobs: [Unknown, Undecorated] });
    await expect(started).rejects.toThrow(UnresolvableJobParameterException);
    await expect(started).rejects.toThrow(
      /Unknown\.failed\(\), parameter 2 "_what".*@OnJobFailed\(\{ inject/,
    );
    await expect(started).rejects.toThrow(/Undecorated\.failed\(\), parameter 2 "journal".*@OnJobFailed\(\)/);
  });

  test('have the tokens that were meant for them, and handle() its own', async () => {
    const { queue, journal } = await start({ jobs: [Shared] });
    await queue.push(new Shared());
    await journal.has(2);
    expect(journal.lines).toEqual(['handled', 'greeting hello']);
  });

  test('can be named by tokens', async () => {
    const { queue, journal } = await start({ jobs: [ByTokens] });
    await queue.push(new ByTokens());
    await journal.has(1);
    expect(journal.lines).toEqual(['greeting hello']);
  });

  test('belong to a method of that name', () => {
    class Elsewhere {
      other(): void {}
    }
    const decorate = OnJobFailed() as (prototype: object, method: string, descriptor: object) => void;
    expect(() => decorate(Elsewhere.prototype, 'other', {})).toThrow(JobDeclarationException);
    expect(() => decorate(Elsewhere, 'failed', {})).toThrow(/static failed/);
  });
});

import { AssertionError } from 'node:assert';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Handle, InvalidQueueArgumentException, Job, type Queue } from '../../lib/index.js';
import { drain, recordQueues, type RecordedQueues } from '../../lib/testing.js';
import { Archive, at, Book, Charge, mail, SendMail, Shop, shopWith, unreachable } from './shop.js';

let app: TestingModule;
let queues: RecordedQueues;
let queue: Queue;

beforeAll(async () => {
  const builder = Test.createTestingModule(shopWith({ default: unreachable, ledger: unreachable }));
  queues = recordQueues(builder);
  app = await builder.compile();
  app.useLogger(false);
  ({ queue } = app.get(Shop));
});
beforeEach(() => queues.clear());
afterAll(() => app.close());

/** The message of an assertion that has to fail. */
function failure(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    expect(error).toBeInstanceOf(AssertionError);
    return (error as Error).message;
  }
  throw new Error('Expected the assertion to fail; it did not.');
}

describe('pushed()', () => {
  beforeEach(async () => {
    await queue.push(mail(), { delaySeconds: 30, uniqueKey: 'welcome-ada', metadata: { tenant: 'acme' } });
    await queue.push(mail('bob@example.com'), { priority: -3, maxAttempts: 2 });
  });

  test('finds a job by its class or its wire name', () => {
    expect(queues.pushed(SendMail).pushes).toHaveLength(2);
    expect(queues.pushed('SendMail').pushes).toHaveLength(2);
  });

  test('finds it by its arguments, whichever way they are told', () => {
    queues.pushed(SendMail, mail()).times(1);
    queues.pushed(SendMail, { args: { to: 'ada@example.com', at: new Date(at) } }).times(1);
    queues.pushed(SendMail, (job) => job.at.getTime() === at.getTime()).times(2);
    queues.pushed(SendMail, (_job, push) => push.delaySeconds === 30).times(1);
  });

  test('gives the jobs as a worker would rebuild them', () => {
    const [job] = queues.pushed(SendMail, mail()).jobs;
    expect(job).toBeInstanceOf(SendMail);
    expect(job).toEqual(mail());
    expect(job).not.toBe(mail());
  });

  test('finds it by each option of its push, and by none that is another', () => {
    const options = {
      connection: 'default',
      queue: 'mail',
      delaySeconds: 30,
      priority: 5,
      maxAttempts: null,
      uniqueKey: 'welcome-ada',
      metadata: { tenant: 'acme' },
    };
    queues.pushed(SendMail, options).times(1);
    const others = {
      connection: 'ledger',
      queue: 'post',
      delaySeconds: 31,
      priority: 4,
      maxAttempts: 1,
      uniqueKey: 'welcome-bob',
      metadata: { tenant: 'other' },
    };
    for (const [key, value] of Object.entries(others)) {
      expect(failure(() => queues.pushed(SendMail, { ...options, [key]: value }))).toContain(key);
    }
    queues.pushed(SendMail, { uniqueKey: null }).with({ args: { to: 'bob@example.com' }, priority: -3 });
  });

  test('narrows step by step, and says at which step nothing was left', () => {
    queues.pushed(SendMail).pushedOn('mail').with({ delaySeconds: 30 }).with(mail()).times(1);
    const message = failure(() => queues.pushed(SendMail).with({ delaySeconds: 30 }).pushedOn('post'));
    expect(message).toContain('Expected a push of SendMail with delaySeconds 30 on "post", came none.');
    expect(message).toContain('Pushed was:\n  1. SendMail(');
    expect(failure(() => queues.pushed(SendMail).times(3))).toContain('3 of SendMail, came 2');
  });

  test('says what was pushed instead, and no sensitive argument of it', () => {
    const message = failure(() => queues.pushed(Charge));
    expect(message).toContain('Expected a push of Charge, came none.');
    expect(message).toContain("1. SendMail(to: 'ada@example.com', token: [redacted], at: ");
    expect(message).toContain(
      `on "mail", delaySeconds 30, priority 5, with a unique key, metadata { tenant: 'acme' }`,
    );
    expect(message).toContain("2. SendMail(to: 'bob@example.com'");
    expect(message).toContain('priority -3, maxAttempts 2');
    for (const match of [mail('eve@example.com'), { args: { token: 'another-secret' } }]) {
      const told = failure(() => queues.pushed(SendMail, match));
      expect(told).toContain('[redacted]');
      expect(told).not.toMatch(/a-secret-token|another-secret/);
    }
    expect(failure(() => queues.pushed(SendMail, mail('eve@example.com')))).toContain(
      "to: 'eve@example.com'",
    );
    expect(failure(() => queues.pushedOn('mail').with({ args: { token: 'another-secret' } }))).not.toContain(
      'another-secret',
    );
  });

  test('points at the line of the test', () => {
    const error: unknown = (() => {
      try {
        return queues.pushed(Charge);
      } catch (thrown) {
        return thrown;
      }
    })();
    const [, first = ''] = (error as Error).stack?.split('\n    at ') ?? [];
    expect(first).toContain('assertions.test.ts');
  });

  test('refuses to look for what no push has', () => {
    const misspelt = { delay: 30 } as object;
    expect(() => queues.pushed(SendMail, misspelt)).toThrow(InvalidQueueArgumentException);
    expect(() => queues.pushed(SendMail, misspelt)).toThrow(/unknown "delay". Known: args, .*delaySeconds/);
    const noArgument = { args: { subject: 'hello' } } as object;
    expect(() => queues.pushed(SendMail, noArgument)).toThrow(
      /arguments of SendMail \(to, token, at\), came "subject"/,
    );
  });
});

test('a push that was refused, or was a duplicate, is none', async () => {
  await queue.push(mail(), { uniqueKey: 'one' });
  expect(await queue.push(mail('bob@example.com'), { uniqueKey: 'one' })).toBeNull();
  await expect(queue.push(mail(), { delaySeconds: -1 })).rejects.toThrow(InvalidQueueArgumentException);
  queues.pushed(SendMail).times(1);
  queues.notPushed(SendMail, { args: { to: 'bob@example.com' } });
});

test('pushedOn() finds a queue, whatever the job', async () => {
  await queue.pushMany([new Charge(1), { job: new Archive(1), queue: 'archive' }]);
  expect(queues.pushedOn('archive').pushes.map(({ job }) => job)).toEqual(['Archive']);
  expect(queues.pushedOn('default').times(1).jobs).toEqual([new Charge(1)]);
  expect(failure(() => queues.pushedOn('mail'))).toContain(
    'a job on "mail", came none.\nPushed were:\n  1. Charge(',
  );
});

test('notPushed() and nothingPushed() name what was', async () => {
  queues.nothingPushed();
  queues.notPushed(Charge);
  expect(failure(() => queues.pushed(Charge))).toContain('Nothing was pushed.');
  await queue.push(new Charge(7));
  queues.notPushed(Charge, { args: { order: 8 } });
  queues.notPushed(Archive);
  expect(failure(() => queues.notPushed(Charge))).toContain(
    'no Charge, came 1.\nPushed was:\n  1. Charge(order: 7)',
  );
  expect(failure(() => queues.nothingPushed())).toContain('nothing, came 1.');
});

describe('chained()', () => {
  beforeEach(() => queue.chain([new Charge(1), { job: mail(), delaySeconds: 5 }, new Archive(1)]));

  test('finds a chain by classes, jobs and names, in order and whole', () => {
    queues.chained([Charge, SendMail, Archive]).times(1);
    queues.chained([new Charge(1), mail(), 'Archive']);
    for (const wrong of [
      [Charge, SendMail],
      [Charge, Archive, SendMail],
      [Charge, SendMail, Archive, Book],
      [Charge, SendMail, new Archive(2)],
      [new Charge(2), SendMail, Archive],
    ]) {
      const message = failure(() => queues.chained(wrong));
      expect(message).toContain('Expected a push of the chain Charge, then');
      expect(message).toContain(
        '1. Charge(order: 1) on "default", maxAttempts 3, then SendMail, then Archive',
      );
    }
  });

  test('the steps behind the first are pushed when the one before them has succeeded', async () => {
    queues.notPushed(SendMail);
    await drain(app);
    queues.pushed(SendMail, { delaySeconds: 5 });
    queues.notPushed(Archive);
    await drain(app, { delayed: true });
    queues.pushed(Archive, new Archive(1));
    queues.chained([Charge, SendMail, Archive]).times(1);
    expect(() => queues.chained([SendMail, Archive])).toThrow(AssertionError);
  });
});

test('clear() forgets the pushes and empties the queues', async () => {
  await queue.push(mail(), { uniqueKey: 'one', delaySeconds: 5 });
  await queue.push(new Book(1));
  await queues.clear();
  queues.nothingPushed();
  expect(await drain(app, { delayed: true })).toEqual([]);
  expect(await queue.push(mail(), { uniqueKey: 'one' })).not.toBeNull();
});

test('a push within a transaction is recorded, whatever the database', async () => {
  await queue.push(mail(), { transaction: { anything: true } });
  queues.pushed(SendMail);
});

test('a class of a wire name that another class was pushed under is not taken for it', async () => {
  @Job({ name: 'SendMail' })
  class Impostor {
    constructor(readonly to: string) {}

    @Handle()
    handle(): void {}
  }
  await queue.push(mail());
  expect(failure(() => queues.pushed(Impostor, new Impostor('ada@example.com')))).toContain('came none');
});

test('a job that keeps an argument under the name constructor is a job all the same', async () => {
  @Job()
  class Build {
    constructor(maker: string) {
      this.constructor = maker as never;
    }

    @Handle()
    handle(): void {}
  }
  await queue.push(new Build('Ada'));
  queues.pushed(Build, new Build('Ada')).times(1);
  queues.chained([new Build('Ada')]);
  expect(failure(() => queues.pushed(Build, new Build('Bob')))).toContain("constructor: 'Bob'");
});

import { Test } from '@nestjs/testing';
import { expect, test } from 'vitest';
import {
  type BackendFactory,
  KinetisQueueModule,
  memory,
  Queue,
  QueueConfigurationException,
} from '../../lib/index.js';

/** What a careless author's function gives: the type says that it cannot, and JavaScript does not ask. */
async function boot(give: BackendFactory | (() => unknown)): Promise<void> {
  const connections = { default: memory(), ledger: give as BackendFactory };
  const module = await Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections })],
  }).compile();
  await module.close();
}

/** The memory backend with some of its parts replaced; its own methods stay bound to it. */
function altered(parts: Readonly<Record<string, unknown>>): BackendFactory {
  return async (context) => {
    const backend = await memory()(context);
    return new Proxy(backend, {
      get(target, name) {
        if (typeof name === 'string' && Object.hasOwn(parts, name)) return parts[name];
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}

async function refusal(give: BackendFactory | (() => unknown)): Promise<string> {
  const error: unknown = await boot(give).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(QueueConfigurationException);
  return (error as Error).message;
}

test('a backend with everything that it claims is taken', async () => {
  await boot(altered({}));
});

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  ['memory', '"memory"'],
  [Queue, 'the function Queue'],
])('a function that gives no backend is refused at boot: %j', async (given, came) => {
  expect(await refusal(() => given)).toBe(
    'KinetisQueueModule: connections.ledger: expected its function to give a QueueBackend, ' +
      `came ${came}. Return the backend, or a promise of it.`,
  );
});

test('a backend that says nothing of itself is refused at boot', async () => {
  expect(await refusal(altered({ capabilities: null }))).toBe(
    'KinetisQueueModule: connections.ledger: capabilities: expected what the backend can do, came null. ' +
      'Set it on the object that the backend function returns.',
  );
  expect(await refusal(altered({ driver: undefined }))).toContain(
    'driver: expected the name of the driver, came undefined',
  );
});

test.each(['connect', 'store', 'reserve', 'waitForWork', 'settle', 'count', 'close'])(
  'a backend without %s() is refused at boot',
  async (method) => {
    expect(await refusal(altered({ [method]: undefined }))).toBe(
      'KinetisQueueModule: connections.ledger: expected a QueueBackend, came one of the driver "memory" without the ' +
        `method ${method}() (every backend has it; came undefined). Implement what is missing.`,
    );
  },
);

test.each([
  ['clear', 'clear', 'true'],
  ['failedJobs', 'retryAllFailed', 'yes'],
  ['browse', 'promoteJob', 'true'],
  ['pause', 'resumeQueue', 'true'],
  ['listQueues', 'queues', 'true'],
])('a backend that claims %s without %s() is refused at boot', async (capability, method, claim) => {
  expect(await refusal(altered({ [method]: 7 }))).toBe(
    'KinetisQueueModule: connections.ledger: expected a QueueBackend, came one of the driver "memory" without the ' +
      `method ${method}() (the capability ${capability} is ${claim}; came 7). ` +
      'Implement what is missing, or do not claim the capability.',
  );
});

test('a backend that claims pushDelivery without consume() is refused at boot', async () => {
  const { capabilities } = await memory()({} as never);
  const message = await refusal(altered({ capabilities: { ...capabilities, pushDelivery: true } }));
  expect(message).toContain('consume() (the capability pushDelivery is true; came undefined)');
});

import { describe, expect, it, vi } from 'vitest';
import { QueueConfigurationException, QueueUnavailableException } from '../../lib/contract/index.js';
import { redis, type RedisOptions } from '../../lib/redis.js';
import { bareContext } from '../support/bare-context.js';

const refused: readonly [why: string, options: { readonly [option: string]: unknown }, message: RegExp][] = [
  ['an address of another protocol', { url: 'http://user:hunter2@host' }, /url: expected an address/],
  ['no address', { url: 7 }, /url: expected an address/],
  ['two ways in', { url: 'redis://host', cluster: { nodes: [{}] } }, /at most one of them, came 2/],
  ['a cluster without nodes', { cluster: { nodes: [] } }, /cluster\.nodes: expected a list/],
  ['options beside a cluster', { cluster: { nodes: [{}] }, options: {} }, /options: expected none beside/],
  ['options that are none', { options: 'tls' }, /options: expected options of ioredis/],
  ['a client of another library', { client: { get: () => null } }, /client: expected a client of ioredis/],
  ['a prefix that moves the hash tag', { prefix: 'app:{a}' }, /prefix: expected 1 to 100 letters/],
  ['no lease', { leaseSeconds: 0 }, /leaseSeconds: expected a positive finite number/],
  [
    'a timeout that is none',
    { commandTimeoutMs: Infinity },
    /commandTimeoutMs: expected a positive finite number/,
  ],
  [
    'a timeout that no timer can hold',
    { commandTimeoutMs: 3e9 },
    /commandTimeoutMs: expected at most 2147483647/,
  ],
  ['a retention that keeps nothing', { failedJobs: { maxCount: 0 } }, /failedJobs\.maxCount/],
];

describe('redis()', () => {
  it.each(refused)('refuses %s', (_why, options, message) => {
    const call = (): unknown => redis(options as RedisOptions);
    expect(call).toThrow(QueueConfigurationException);
    expect(call).toThrow(message);
    expect(call).not.toThrow(/hunter2/);
  });

  it('names what to install where ioredis is missing', async () => {
    vi.doMock('ioredis', () => {
      throw new Error('Cannot find package');
    });
    try {
      const opening = Promise.resolve(redis()(bareContext()));
      await expect(opening).rejects.toBeInstanceOf(QueueUnavailableException);
      await expect(opening).rejects.toThrow(/npm install ioredis@6/);
    } finally {
      vi.doUnmock('ioredis');
    }
  });

  it('makes no connection before the first use', async () => {
    const backend = await redis({ url: 'redis://127.0.0.1:1' })(bareContext());
    await backend.close();
  });
});

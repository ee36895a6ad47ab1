import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, vi } from 'vitest';
import { QueueConfigurationException, QueueUnavailableException } from '../../lib/contract/index.js';
import { sqs, type SqsOptions } from '../../lib/sqs.js';
import { bareContext } from '../support/bare-context.js';

const client = new SQSClient({ region: 'us-east-1' });

const refused: readonly [why: string, options: { readonly [option: string]: unknown }, message: RegExp][] = [
  ['no region', { region: '' }, /region: expected a region/],
  [
    'an address of another protocol',
    { endpoint: 'redis://user:hunter2@host' },
    /endpoint: expected an address/,
  ],
  ['credentials that are a text', { credentials: 'hunter2' }, /credentials: expected credentials/],
  ['a client of another library', { client: { get: () => null } }, /client: expected an SQSClient/],
  ['a region beside a client', { client, region: 'eu-central-1' }, /client: expected no region/],
  ['an account that is none', { accountId: '12' }, /accountId: expected 12 digits/],
  ['a prefix that SQS refuses', { queuePrefix: 'app.' }, /queuePrefix: expected 0 to 79/],
  ['a prefix that leaves no room', { queuePrefix: 'p'.repeat(80) }, /queuePrefix: expected 0 to 79/],
  ['a FIFO queue for dead letters', { deadLetterQueue: 'dead.fifo' }, /expected a standard queue/],
  [
    'a prefix and a queue for dead letters that are too long together',
    { queuePrefix: 'p'.repeat(60), deadLetterQueue: 'd'.repeat(21) },
    /deadLetterQueue: expected 1 to 80/,
  ],
  ['no lease', { leaseSeconds: 0 }, /leaseSeconds: expected a whole number from 1 to 43200/],
  ['a lease of more than 12 hours', { leaseSeconds: 43_201 }, /leaseSeconds: expected a whole number/],
  ['a part of a second', { leaseSeconds: 1.5 }, /leaseSeconds: expected a whole number/],
  [
    'a wait that a stop would not bear',
    { waitTimeSeconds: 6 },
    /waitTimeSeconds: expected a whole number from 1 to 5/,
  ],
  ['no wait', { waitTimeSeconds: 0 }, /waitTimeSeconds: expected a whole number/],
  ['messages without bytes', { maxMessageBytes: 0 }, /maxMessageBytes: expected a whole number/],
  ['a timeout that is none', { requestTimeoutMs: Infinity }, /requestTimeoutMs: expected a whole number/],
];

describe('sqs()', () => {
  it.each(refused)('refuses %s', (_why, options, message) => {
    const call = (): unknown => sqs(options as SqsOptions);
    expect(call).toThrow(QueueConfigurationException);
    expect(call).toThrow(message);
    expect(call).not.toThrow(/hunter2/);
  });

  it('names what to install where the SDK is missing', async () => {
    vi.doMock('@aws-sdk/client-sqs', () => {
      throw new Error('Cannot find package');
    });
    try {
      const opening = Promise.resolve(sqs()(bareContext()));
      await expect(opening).rejects.toBeInstanceOf(QueueUnavailableException);
      await expect(opening).rejects.toThrow(/npm install @aws-sdk\/client-sqs@3/);
    } finally {
      vi.doUnmock('@aws-sdk/client-sqs');
    }
  });

  it('makes no connection before the first use', async () => {
    const backend = await sqs({ endpoint: 'http://127.0.0.1:1' })(bareContext());
    await backend.close();
  });
});

import { describe, expect, it, vi } from 'vitest';
import { brokerAddresses } from '../../lib/backends/rabbitmq/broker-address.js';
import { QueueConfigurationException, QueueUnavailableException } from '../../lib/contract/index.js';
import { rabbitmq, type RabbitMqOptions } from '../../lib/rabbitmq.js';
import { bareContext } from '../support/bare-context.js';

const refused: readonly [why: string, options: { readonly [option: string]: unknown }, message: RegExp][] = [
  ['an address of another protocol', { url: 'http://user:hunter2@host' }, /url: expected an address/],
  ['an address without a host', { url: 'amqp://user:hunter2@' }, /url: expected an address/],
  ['a list with one bad address', { url: ['amqp://a', 'user:hunter2@b'] }, /url: expected an address/],
  ['hosts of which one is missing', { url: 'amqp://user:hunter2@a,,b' }, /url: expected an address/],
  ['a password with a stray percent sign', { url: 'amqp://user:hunter2%@a' }, /url: expected an address/],
  ['no address at all', { url: [] }, /url: expected an address/],
  ['an address that is none', { url: 7 }, /url: expected an address/],
  ['TLS options that are none', { tls: 'yes' }, /tls: expected options of a TLS socket, came "yes"/],
  ['no time to connect', { connectTimeoutMs: 0 }, /connectTimeoutMs: expected an integer from 1 to/],
  ['a timeout that no timer can hold', { confirmTimeoutMs: 3e9 }, /confirmTimeoutMs: expected an integer/],
  ['no heartbeat', { heartbeatSeconds: 0 }, /heartbeatSeconds: expected an integer from 1 to 65535/],
  ['an empty connection name', { connectionName: '' }, /connectionName: expected a text/],
  ['a retention of failed jobs', { failedJobs: { maxCount: 1 } }, /failedJobs: expected true or false/],
  ['a prefix with a dot', { queuePrefix: 'shop.' }, /queuePrefix/],
];

const addresses: readonly [text: string, hosts: readonly string[] | null][] = [
  ['amqp://host', ['guest@host:5672/']],
  ['amqp://user:p%40ss@host:5673/shop', ['user:p@ss@host:5673/shop']],
  ['amqps://host', ['guest@host:5671/']],
  ['amqp://[::1]:5673', ['guest@::1:5673/']],
  ['amqp://user:pw@a,b:5673,c/shop', ['user:pw@a:5672/shop', 'user:pw@b:5673/shop', 'user:pw@c:5672/shop']],
  ['amqp://a/one,amqps://b/two', ['guest@a:5672/one', 'guest@b:5671/two']],
  ['amqp://a,http://b', null],
  ['', null],
];

describe('rabbitmq()', () => {
  it.each(refused)('refuses %s', (_why, options, message) => {
    const call = (): unknown => rabbitmq(options as RabbitMqOptions);
    expect(call).toThrow(QueueConfigurationException);
    expect(call).toThrow(message);
    expect(call).not.toThrow(/hunter2/);
  });

  it.each(addresses)('reads the address %j', (text, hosts) => {
    const read = brokerAddresses(text)?.map(({ protocol, hostname, port, username, password, vhost }) => {
      const user = username === undefined ? 'guest' : `${username}:${password}`;
      return `${user}@${hostname}:${port ?? (protocol === 'amqps' ? 5671 : 5672)}/${vhost}`;
    });
    expect(read ?? null).toEqual(hosts);
  });

  it('names what to install where amqplib is missing', async () => {
    vi.doMock('amqplib', () => {
      throw new Error('Cannot find package');
    });
    try {
      const opening = Promise.resolve(rabbitmq()(bareContext()));
      await expect(opening).rejects.toBeInstanceOf(QueueUnavailableException);
      await expect(opening).rejects.toThrow(/npm install amqplib@2/);
    } finally {
      vi.doUnmock('amqplib');
    }
  });

  it('makes no connection before the first use, and names no password when it fails', async () => {
    const backend = await rabbitmq({ url: 'amqp://user:hunter2@127.0.0.1:1' })(bareContext());
    const reaching = backend.connect();
    await expect(reaching).rejects.toThrow(/ECONNREFUSED/);
    await expect(reaching).rejects.not.toThrow(/hunter2/);
    await backend.close();
  });
});

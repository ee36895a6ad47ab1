import { onTestFinished, vi } from 'vitest';
import { rabbitmq } from '../../../lib/rabbitmq.js';
import { sqs } from '../../../lib/sqs.js';
import { bareContext } from '../../support/bare-context.js';
import { newVhost } from '../../support/rabbitmq-servers.js';
import { SqsEmulator } from '../../support/sqs-emulator.js';
import type { Store } from './stores.js';

/** A virtual host of the test's own, as the connection `default`. */
export async function rabbitmqStore(): Promise<Store> {
  const vhost = await newVhost();
  onTestFinished(() => vhost.remove());
  const backend = await rabbitmq({ url: vhost.url.href })(bareContext());
  onTestFinished(() => backend.close());
  return { env: { QUEUE_CONNECTION: 'rabbitmq', QUEUE_RABBITMQ_URL: vhost.url.href }, backend };
}

/** An emulator with these queues, as the connection `default`. */
export async function sqsStore(...queues: readonly string[]): Promise<Store> {
  const emulator = await SqsEmulator.start();
  onTestFinished(() => emulator.stop());
  for (const queue of queues) await emulator.createQueue(`test_${queue}`, {});
  // The SDK reads them by itself.
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const endpoint = `http://127.0.0.1:${emulator.port}`;
  const backend = await sqs({ endpoint, region: 'us-east-1', queuePrefix: 'test_' })(bareContext());
  onTestFinished(() => backend.close());
  const env = {
    QUEUE_CONNECTION: 'sqs',
    QUEUE_SQS_ENDPOINT: endpoint,
    QUEUE_SQS_REGION: 'us-east-1',
    QUEUE_SQS_QUEUE_PREFIX: 'test_',
  };
  return { env, backend };
}

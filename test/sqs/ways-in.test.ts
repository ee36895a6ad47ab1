import { inspect } from 'node:util';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionFailed, QueueConfigurationException } from '../../lib/contract/index.js';
import { sqs } from '../../lib/sqs.js';
import { bareContext } from '../support/bare-context.js';
import { optionsOf } from '../support/conformance/sqs-harness.js';
import { isTested } from '../support/servers.js';
import { lost, refuses } from '../support/sqs-faults.js';
import { SqsGateway } from '../support/sqs-gateway.js';
import { newJob, newQueueName, openSqs, startEmulator } from '../support/sqs-queue.js';

const SECRET = 'hunter2hunter2';

describe.runIf(isTested('sqs'))('the way to SQS', async () => {
  const emulator = await startEmulator();

  it('is the environment’s where nothing is said', async () => {
    const gateway = await SqsGateway.open(emulator);
    const queue = newQueueName();
    await emulator.createQueue(queue);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'from-the-environment');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET);
    try {
      const backend = await sqs({ endpoint: gateway.endpoint })(bareContext());
      await backend.connect();
      expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('applied');
      await backend.close();
    } finally {
      vi.unstubAllEnvs();
      await gateway.close();
    }
  });

  it('needs a region, and says where it looks for one', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
    try {
      const backend = await sqs({ credentials: { accessKeyId: 'a', secretAccessKey: SECRET } })(
        bareContext(),
      );
      await expect(backend.connect()).rejects.toThrow(QueueConfigurationException);
      await expect(backend.connect()).rejects.toThrow(/region: expected one/);
      await backend.close();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('without credentials is no connection, and nothing was sent', async () => {
    const credentials = (): Promise<never> => Promise.reject(new Error(`no role for ${SECRET}`));
    const { backend, queue, gateway } = await openSqs(emulator, { credentials });
    await expect(backend.connect()).rejects.toThrow(ConnectionFailed);
    await expect(backend.reserve([queue], 1)).rejects.toThrow(/credentials/);
    expect((await backend.store([newJob({ queue })]))[0]).toMatchObject({ status: 'refused' });
    expect(gateway.calls).toEqual([]);
  });

  it('ends with close(), after which nothing is sent', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    await backend.store([newJob({ queue })]);
    await backend.close();
    await backend.close();
    const calls = gateway.calls.length;
    await expect(backend.reserve([queue], 1)).rejects.toThrow(ConnectionFailed);
    expect(gateway.calls.length).toBe(calls);
  });

  it('close() lets what is under way finish', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    await backend.count(queue);
    let closing: Promise<void> | undefined;
    gateway.next(['SendMessageBatch'], (_call, pass) => {
      closing = backend.close();
      return pass();
    });
    expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('applied');
    await closing;
  });

  it('a client of the application is used as it is, and not closed', async () => {
    const gateway = await SqsGateway.open(emulator);
    const client = new SQSClient({ ...optionsOf(gateway), maxAttempts: 5 });
    const seen: unknown[] = [];
    client.middlewareStack.add(
      (next, context) => (args) => {
        seen.push(context['commandName']);
        return next(args);
      },
      { step: 'initialize' },
    );
    const destroy = vi.spyOn(client, 'destroy');
    const { backend, queue } = await openSqs(emulator, { client });
    expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('applied');
    expect(seen).toEqual(['GetQueueUrlCommand', 'SendMessageBatchCommand']);
    await backend.close();
    expect(destroy).not.toHaveBeenCalled();
    await gateway.close();
  });

  it('a client of the application sends nothing twice, however often it tries for others', async () => {
    const gateway = await SqsGateway.open(emulator);
    const client = new SQSClient({ ...optionsOf(gateway), maxAttempts: 5 });
    const { backend, queue } = await openSqs(emulator, { client });
    for (const rule of [lost('answer'), lost('request'), refuses(500, 'InternalFailure')]) {
      gateway.next(['SendMessageBatch'], rule);
      expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('unknown');
    }
    expect(gateway.callsOf('SendMessageBatch').length).toBe(3);
    client.destroy();
    await gateway.close();
  });

  it('survives a clock that goes wrong: SQS is asked once more with its own time', async () => {
    const { backend, queue, gateway } = await openSqs(emulator);
    gateway.next(['SendMessageBatch'], refuses(400, 'InvalidSignatureException', 'Signature expired'));
    expect((await backend.store([newJob({ queue })]))[0]?.status).toBe('applied');
    expect(gateway.callsOf('SendMessageBatch').length).toBe(2);
  });

  it('no error shows a credential or what was sent', async () => {
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: SECRET, sessionToken: SECRET };
    const { backend, queue, gateway } = await openSqs(emulator, { credentials });
    const job = newJob({ queue, args: { card: SECRET } });
    const errors: unknown[] = [];
    for (const rule of [
      lost('request'),
      lost('answer'),
      refuses(403, 'AccessDenied'),
      refuses(400, 'InvalidMessageContents'),
      refuses(500, 'InternalFailure'),
      async () => ({ status: 200, body: { Failed: 'no list' } }),
    ]) {
      gateway.next(['SendMessageBatch'], rule);
      const outcome = await backend.store([job]).then(
        ([answer]) => answer,
        (error: unknown) => ({ error }),
      );
      errors.push(outcome !== undefined && 'error' in outcome ? outcome.error : outcome);
    }
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
    }
  });
});

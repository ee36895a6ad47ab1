import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { number, text } from '../../../lib/backends/sqs/message.js';
import { SQS_CAPABILITIES } from '../../../lib/backends/sqs/sqs.capabilities.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { sqs, type SqsOptions } from '../../../lib/sqs.js';
import {
  type ConformanceHarness,
  malformedKinds,
  type RawItem,
  testBackendContext,
} from '../../../lib/testing.js';
import { SqsEmulator } from '../sqs-emulator.js';
import { entriesFail, lost } from '../sqs-faults.js';
import { CHANGES, SqsGateway } from '../sqs-gateway.js';

export interface SqsHarness {
  readonly harness: ConformanceHarness;
  readonly gateway: SqsGateway;
  close(): Promise<void>;
}

/** A body has one character at least, all of them text. */
const NO_TEXT = ['body: empty', 'body: not UTF-8', 'body: a NUL byte', 'body: UTF-8 cut within a character'];

/** Only what an attribute says at the push can be damaged; the rest is SQS' own count, or constant. */
function cannotHold(kind: string): boolean {
  return (
    NO_TEXT.includes(kind) ||
    (kind.startsWith('header') && !/^header\.(v|leaseSeconds): (?!missing)/.test(kind))
  );
}

/** The sqs backend on an emulator of its own, which creates each queue as it is looked up. */
export async function openSqsHarness(
  name = 'sqs',
  options: (gateway: SqsGateway) => SqsOptions = optionsOf,
): Promise<SqsHarness> {
  const emulator = await SqsEmulator.start();
  const gateway = await SqsGateway.open(emulator, { createsQueues: true });
  const foreign = new SQSClient(optionsOf(gateway));
  const newBackend = async (leaseSeconds: number): Promise<QueueBackend> =>
    sqs({ ...options(gateway), leaseSeconds, waitTimeSeconds: 1 })(testBackendContext());
  const harness: ConformanceHarness = {
    name,
    capabilities: SQS_CAPABILITIES,
    facilities: ['clock', 'storeRaw', 'second', 'silence', 'refuse'],
    cannotHold: malformedKinds.map(({ kind }) => kind).filter(cannotHold),
    patienceMs: 250,
    async open({ leaseSeconds }) {
      const backends = [await newBackend(leaseSeconds)];
      return {
        backend: backends[0] as QueueBackend,
        advance: (seconds) => emulator.advance(seconds),
        storeRaw: (item) => sendRaw(foreign, emulator, item),
        silence: async (part) => gateway.next(CHANGES, lost(part)),
        refuse: async (entry) =>
          gateway.next(CHANGES, entriesFail([entry], { Code: 'ThrottlingException', SenderFault: false })),
        async second() {
          const backend = await newBackend(leaseSeconds);
          backends.push(backend);
          return backend;
        },
        async close() {
          for (const backend of backends) await backend.close();
        },
      };
    },
  };
  return {
    harness,
    gateway,
    async close() {
      foreign.destroy();
      await gateway.close();
      await emulator.stop();
    },
  };
}

/** The way to a gateway, as any client of the SDK takes it. */
export function optionsOf({ endpoint }: Pick<SqsGateway, 'endpoint'>) {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  } as const satisfies SqsOptions;
}

/** Sends what no push would, as a foreign writer that knows the attributes. */
async function sendRaw(
  client: SQSClient,
  emulator: SqsEmulator,
  { queue, header, body }: RawItem,
): Promise<void> {
  await emulator.createQueue(queue);
  const { v, leaseSeconds } = header ?? {};
  const attributes = {
    ...(v === undefined ? {} : { v }),
    ...(leaseSeconds === null ? {} : { leaseSeconds }),
  };
  await client.send(
    new SendMessageCommand({
      QueueUrl: `http://sqs.us-east-1.localhost:${emulator.port}/000000000000/${queue}`,
      MessageBody: typeof body === 'string' ? body : new TextDecoder().decode(body),
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'number' ? number(value) : text(String(value)),
        ]),
      ),
    }),
  );
}

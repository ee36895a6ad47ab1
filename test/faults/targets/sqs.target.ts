import { fileURLToPath } from 'node:url';
import { sqs, type SqsOptions } from '../../../lib/sqs.js';
import { privateServer } from '../../support/private-server.js';
import { freePort } from '../../support/server-child.js';
import { sqsRequests } from '../../support/sqs-requests.js';
import { FAULT_QUEUE, type FaultServer, type Leftovers, type TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import type { Address, Protocol } from './fault-wire.js';
import { serverFaults } from './server-faults.js';
import { storedTarget } from './stored-target.js';
import { onlyAddress, openWays } from './ways.js';

const PROTOCOL: Protocol = { requests: sqsRequests, answersSettlements: true };
const EMULATOR = fileURLToPath(new URL('../../support/sqs-emulator-process.mjs', import.meta.url));
const REQUEST_TIMEOUT_MS = 1_500;

/** The emulator keeps its queues in memory: it can be stopped, and not killed. */
export const sqsTarget: TargetKind = {
  name: 'sqs',
  rules: { ...FENCED_LEASES, fenced: false, redelivers: true, countsCrashes: false, listsFailed: false },
  async open({ needs, leaseSeconds }) {
    const port = await freePort();
    const emulator = privateServer({
      name: 'SQS emulator',
      port,
      command: [process.execPath, EMULATOR, String(port), FAULT_QUEUE],
      ready: /ready to take requests/,
      removeFiles: () => undefined,
    });
    await emulator.start();
    const address = { host: '127.0.0.1', port };
    const optionsAt = ({ host, port: at }: Address) =>
      ({
        endpoint: `http://${host}:${at}`,
        region: 'us-east-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
        leaseSeconds,
        waitTimeSeconds: 1,
        ...(needs.server || needs.proxy ? { requestTimeoutMs: REQUEST_TIMEOUT_MS } : {}),
      }) satisfies SqsOptions;
    const ways = await openWays([address], PROTOCOL, needs.proxy);
    return storedTarget({
      kind: sqsTarget,
      leaseSeconds,
      environment: (role) =>
        faultEnvironment({ driver: 'sqs', options: optionsAt(onlyAddress(ways.addresses[role])) }),
      direct: sqs(optionsAt(address)),
      server: needs.server ? withoutKill(serverFaults(emulator)) : null,
      proxies: ways.proxies,
      leftovers: () => leftoversIn(address),
      async remove() {
        await ways.close();
        await emulator.remove();
      },
    });
  },
};

function withoutKill(server: FaultServer): FaultServer {
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('The emulator of SQS keeps nothing over a kill.'));
  return { ...server, kill: refuse, restart: refuse };
}

/** What the emulator itself holds: SQS' own counts are estimates. */
async function leftoversIn({ host, port }: Address): Promise<Leftovers> {
  const response = await fetch(`http://${host}:${port}/_fauxqs/queues/${FAULT_QUEUE}`);
  const { messages } = (await response.json()) as {
    readonly messages: Readonly<Record<'ready' | 'delayed' | 'inflight', readonly unknown[]>>;
  };
  const { ready, delayed, inflight } = messages;
  return {
    ready: ready.length,
    delayed: delayed.length,
    reserved: inflight.length,
    failed: null,
    failedIds: null,
  };
}

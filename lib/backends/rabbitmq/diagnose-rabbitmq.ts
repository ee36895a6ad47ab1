import { type Finding, type FindingLevel, QueueConfigurationException } from '../../contract/index.js';
import { ACCESS_REFUSED, brokerText, replyCodeOf } from './broker-errors.js';
import type { BrokerSession } from './broker-session.js';
import type { PassiveChannel } from './passive-channel.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import {
  deadQueue,
  type Topology,
  type TopologySettings,
  workQueueName,
  workTopology,
} from './topology/index.js';

/** Looks at each queue that was named: whether a push, or a worker, would be let declare it as it is. */
export async function diagnoseRabbitMq(
  { settings: { topology }, delivering }: RabbitMqBackendParts,
  queues: readonly string[],
): Promise<readonly Finding[]> {
  const message = 'no queue was named: how queues are declared, and what the user may do, was not looked at';
  const mend = 'name them, --queue=mail,default';
  if (queues.length === 0) return [{ topic: 'topology', level: 'warning', message, mend }];
  const session = await delivering.session();
  const findings: Finding[] = [];
  for (const queue of queues) findings.push(await queueFinding(session, topology, queue));
  return findings;
}

async function queueFinding(
  session: BrokerSession,
  settings: TopologySettings,
  queue: string,
): Promise<Finding> {
  const say = (level: FindingLevel, message: string, mend: string | null): Finding => {
    return { topic: `queue ${queue}`, level, message, mend };
  };
  // Not every version of the broker says which right it missed.
  let needs = 'declare it, which needs configure';
  try {
    const found = await session.passively(async (channel) => {
      const consumers = await channel.consumers(workQueueName(settings.prefix, queue));
      if (consumers === null) return null;
      return { consumers, there: await thatIsThere(channel, topologyOf(settings, queue)) };
    });
    if (found === null) {
      return say(
        'warning',
        'it is not there yet, so that its declaration and the rights to it were not looked at',
        'push a job or start a worker, which makes it; or check the name and the prefix',
      );
    }
    await session.declarations.again(found.there.filter(({ kind }) => kind !== 'binding'));
    needs = 'bind it, which needs write to the queue and read of its exchange';
    await session.declarations.again(found.there.filter(({ kind }) => kind === 'binding'));
    return say('ok', `it is declared as this connection has it; ${consumersOn(found.consumers)}`, null);
  } catch (error) {
    if (error instanceof QueueConfigurationException) {
      const [what = error.message] = error.message
        .replace(/^rabbitmq\(\): /, '')
        .split(' What is there was ');
      const mend =
        'give all processes the same options, or empty and delete it first; pushes to it are refused until then';
      return say('problem', what, mend);
    }
    if (replyCodeOf(error) !== ACCESS_REFUSED) throw error;
    const refusal = `the user may not ${needs} (${brokerText(error)})`;
    return say('problem', refusal, 'grant what docs/rabbitmq.md lists for the user of the queue');
  }
}

function topologyOf(settings: TopologySettings, queue: string): Topology {
  const dead = deadQueue(settings, queue);
  const work = workTopology(settings, queue);
  return [dead, ...work.filter((step) => step.kind === 'binding' || step.name !== dead.name)];
}

/** The steps that change nothing. A binding is asked for last, and needs what it binds. */
async function thatIsThere(channel: PassiveChannel, topology: Topology): Promise<Topology> {
  const names = new Set<string>();
  for (const step of topology) {
    if (step.kind === 'queue' && (await channel.ready(step.name)) !== null) names.add(step.name);
    if (step.kind === 'exchange' && (await channel.hasExchange(step.name))) names.add(step.name);
  }
  return topology.filter((step) =>
    step.kind === 'binding' ? names.has(step.exchange) && names.has(step.to.name) : names.has(step.name),
  );
}

/** A worker of one queue is a consumer; one of several asks queue by queue, and is none. */
function consumersOn(count: number): string {
  if (count === 0) return 'no consumer is on it';
  return count === 1 ? '1 consumer is on it' : `${count} consumers are on it`;
}

import { isReply, type Wire } from './wire.js';

/** A setting that lets jobs be lost. */
export interface DurabilityRisk {
  /** What is set, and what it leads to, as sentences. */
  readonly message: string;
  readonly mend: string;
}

/**
 * What the server's settings let happen to jobs; empty when nothing is known of. A server that forbids to be asked is
 * taken to be fine.
 */
export async function durabilityRisks(wire: Wire): Promise<readonly DurabilityRisk[]> {
  const [memory, persistence] = await Promise.all([factsOf(wire, 'memory'), factsOf(wire, 'persistence')]);
  const risks: DurabilityRisk[] = [];
  const policy = memory.get('maxmemory_policy') ?? '';
  if (policy.startsWith('allkeys') && memory.get('maxmemory') !== '0') {
    risks.push({
      message:
        `maxmemory-policy is ${policy}: expected noeviction, or a policy that takes only keys with a time to live. ` +
        'Redis deletes whole queues when its memory is full',
      mend: 'set it to noeviction',
    });
  }
  if (persistence.get('aof_enabled') === '0' && (await savesNothing(wire))) {
    risks.push({
      message: 'neither appendonly nor save is set: expected one of them. Jobs are lost when Redis stops',
      mend: 'set `appendonly yes`',
    });
  }
  return risks;
}

async function factsOf(wire: Wire, section: string): Promise<ReadonlyMap<string, string>> {
  const text = await asked(wire, 'info', [section]);
  return new Map(
    String(text ?? '')
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

async function savesNothing(wire: Wire): Promise<boolean> {
  const answer = await asked(wire, 'config', ['GET', 'save']);
  return Array.isArray(answer) && answer.length === 2 && String(answer[1]) === '';
}

/** The answer, or undefined when the server refuses one. */
async function asked(wire: Wire, name: string, args: readonly string[]): Promise<unknown> {
  try {
    return await wire.send(name, args);
  } catch (error) {
    if (isReply(error)) return undefined;
    throw error;
  }
}

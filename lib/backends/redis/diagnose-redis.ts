import { clockFinding, type Finding } from '../../contract/index.js';
import { durabilityRisks } from './durability-check.js';
import { hintsChannel, registryKey } from './queue-keys.js';
import type { RedisBackendParts } from './redis-backend-parts.js';
import { isReply } from './wire.js';

/** A queue that need not exist: only its name matters, for the keys that a user may be limited to. */
const ANY_QUEUE = 'kinetis-doctor';

/** Looks at what the user may do, at the server's settings and its clock. */
export async function diagnoseRedis(parts: RedisBackendParts): Promise<readonly Finding[]> {
  return [await grants(parts), ...(await durability(parts)), await clock(parts)];
}

async function grants({ scripts, settings: { prefix } }: RedisBackendParts): Promise<Finding> {
  const topic = 'grants';
  const mend = 'grant what docs/redis.md lists for the user of the queue';
  try {
    const args = [registryKey(prefix), hintsChannel(prefix)];
    const refused = ((await scripts.run('refusedCommands', ANY_QUEUE, args)) as Buffer[]).map(String);
    if (refused.length === 0) return { topic, level: 'ok', message: 'the user may do all of it', mend: null };
    const message = `the user lacks ${refused.map((name) => `+${name.toLowerCase()}`).join(' ')}`;
    return { topic, level: 'problem', message, mend };
  } catch (error) {
    if (!isReply(error)) throw error;
    if (error.message.startsWith('NOPERM')) {
      return {
        topic,
        level: 'problem',
        message: 'the user may not run scripts: it lacks +eval +evalsha',
        mend,
      };
    }
    const message = 'the server cannot be asked what its user may do, as Redis can from version 7 on';
    return { topic, level: 'warning', message, mend: 'use Redis 7' };
  }
}

async function durability({ wire }: RedisBackendParts): Promise<readonly Finding[]> {
  const risks = await durabilityRisks(wire);
  if (risks.length > 0) return risks.map((risk) => ({ topic: 'settings', level: 'warning', ...risk }));
  const message = 'no queue is evicted, and jobs are written to disk, as far as the server tells';
  return [{ topic: 'settings', level: 'ok', message, mend: null }];
}

async function clock({ wire }: RedisBackendParts): Promise<Finding> {
  const before = Date.now();
  const [seconds, microseconds] = ((await wire.send('time', [])) as Buffer[]).map(Number);
  return clockFinding((seconds ?? 0) * 1_000 + (microseconds ?? 0) / 1_000, before, Date.now());
}

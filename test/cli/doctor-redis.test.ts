import { describe, expect, test } from 'vitest';
import { clientOf, privateRedis } from '../support/redis-queue.js';
import { documentedRights } from '../support/redis-rights.js';
import { isTested } from '../support/servers.js';
import { commandLine } from './support/command-line.js';

interface Finding {
  readonly topic: string;
  readonly level: string;
  readonly message: string;
  readonly mend: string | null;
}

async function findingsOn(
  url: string,
  topic: string,
): Promise<{ code: number; findings: readonly Finding[] }> {
  const { code, out } = await commandLine(['doctor', '--json'], {
    env: { QUEUE_CONNECTION: 'redis', REDIS_URL: url },
  });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { code, findings: findings.filter((finding) => finding.topic === topic) };
}

/** What no script asks for: the way in, and what serves warnings alone. */
const NOT_ASKED = ['hello', 'info', 'config|get', 'select', 'evalsha', 'eval', 'ping', 'time'];

describe.runIf(isTested('redis'))('doctor on Redis', () => {
  test('warns of eviction and of a server that keeps nothing, with the mend of each', async () => {
    const server = await privateRedis(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru']);
    const { code, findings } = await findingsOn(server.url, 'settings');
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      {
        level: 'warning',
        message: expect.stringContaining('maxmemory-policy is allkeys-lru'),
        mend: 'set it to noeviction',
      },
      {
        level: 'warning',
        message: expect.stringContaining('neither appendonly nor save'),
        mend: 'set `appendonly yes`',
      },
    ]);
  });

  test('finds a server that evicts nothing and keeps all as it should be', async () => {
    const server = await privateRedis(['--appendonly', 'yes']);
    expect((await findingsOn(server.url, 'settings')).findings).toMatchObject([{ level: 'ok' }]);
  });

  test('tells each right of docs/redis.md that a user lacks, and none where it lacks none', async () => {
    const server = await privateRedis(['--appendonly', 'yes']);
    const client = clientOf(server);
    const url = server.url.replace('//', '//queue:hunter2@');
    const { rules } = documentedRights();
    await client.acl('SETUSER', 'queue', 'reset', ...rules);
    expect((await findingsOn(url, 'grants')).findings).toMatchObject([{ level: 'ok', mend: null }]);
    const commands = rules
      .filter((rule) => rule.startsWith('+'))
      .map((rule) => rule.slice(1))
      .filter((name) => !NOT_ASKED.includes(name));
    expect(commands.length).toBeGreaterThan(25);
    for (const name of commands) {
      await client.acl('SETUSER', 'queue', 'reset', ...rules, `-${name}`);
      const { code, findings } = await findingsOn(url, 'grants');
      expect(findings).toEqual([
        {
          topic: 'grants',
          level: 'problem',
          message: `the user lacks +${name}`,
          mend: 'grant what docs/redis.md lists for the user of the queue',
        },
      ]);
      expect(code).toBe(1);
    }
  });

  test('tells a user that may not run scripts', async () => {
    const server = await privateRedis();
    await clientOf(server).acl('SETUSER', 'queue', 'reset', ...documentedRights().rules, '-evalsha', '-eval');
    const { findings } = await findingsOn(server.url.replace('//', '//queue:hunter2@'), 'grants');
    expect(findings).toMatchObject([
      { level: 'problem', message: expect.stringContaining('+eval +evalsha') },
    ]);
  });
});

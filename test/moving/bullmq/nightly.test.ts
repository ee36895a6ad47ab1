import { expect, onTestFinished, test, vi } from 'vitest';
import { newPrefix } from '../../support/redis-queue.js';
import { redisTestUrl } from '../../support/redis-servers.js';
import { isTested } from '../../support/servers.js';
import { redis } from '../../../lib/redis.js';
import { bareContext } from '../../support/bare-context.js';

test.runIf(isTested('redis'))('the nightly script pushes one job a day, however often it runs', async () => {
  const { prefix } = newPrefix();
  const url = redisTestUrl().href;
  vi.stubEnv('REDIS_URL', url);
  vi.stubEnv('SHOP_PREFIX', prefix);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (let run = 1; run <= 2; run += 1) {
    vi.resetModules();
    await import('./nightly.js');
  }
  const backend = await redis({ url, prefix })(bareContext());
  onTestFinished(() => backend.close());
  expect(await backend.count('articles')).toMatchObject({ ready: 1, delayed: 0 });
});

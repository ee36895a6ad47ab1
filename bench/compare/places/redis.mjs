// A Redis server of the measurement's own, which keeps nothing on disk; emptied before each cell.
import { Redis } from 'ioredis';
import { startServer } from '../child-server.mjs';

export async function openPlace() {
  const { port, end } = await startServer('redis-server', (own) => [
    '--port',
    String(own),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  const admin = new Redis({ port, host: '127.0.0.1' });
  const [, version] = /redis_version:(\S+)/.exec(await admin.info('server')) ?? [];
  return {
    settings: `Redis ${version}, no persistence (save "", appendonly no), over 127.0.0.1`,
    async fresh() {
      await admin.flushall();
      const redis = { host: '127.0.0.1', port };
      return { redis, ours: { name: 'redis', options: { url: `redis://127.0.0.1:${port}` } } };
    },
    async close() {
      admin.disconnect();
      await end();
    },
  };
}

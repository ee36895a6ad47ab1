import { QueueUnavailableException } from '../../contract/index.js';

export type IoRedis = Pick<typeof import('ioredis'), 'Redis' | 'Cluster' | 'Command'>;

/** Loads ioredis. Throws `QueueUnavailableException` when it is not installed. */
export async function importIoRedis(): Promise<IoRedis> {
  try {
    const { Redis, Cluster, Command } = await import('ioredis');
    return { Redis, Cluster, Command };
  } catch (error) {
    throw new QueueUnavailableException(
      'redis(): expected ioredis 6; it cannot be loaded. Install it: npm install ioredis@6',
      { cause: error },
    );
  }
}

import type { Hints } from './hints.js';
import type { QueueRegistry } from './queue-registry.js';
import type { RedisSettings } from './redis.options.js';
import type { Scripts } from './scripts.js';
import type { SettleBatch } from './settle-jobs.js';
import type { StoreBatch } from './store-jobs.js';
import type { Wire } from './wire.js';

/** What the parts of the backend share. */
export interface RedisBackendParts extends RedisSteps {
  readonly settling: SettleBatch;
  readonly storing: StoreBatch;
}

/** What a step needs. */
export interface RedisSteps {
  readonly settings: RedisSettings;
  readonly wire: Wire;
  readonly scripts: Scripts;
  readonly registry: QueueRegistry;
  readonly hints: Hints;
  warn(message: string): void;
}

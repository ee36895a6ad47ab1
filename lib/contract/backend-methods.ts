import { canBrowse } from './browsing-backend.js';
import { isClearing } from './clearing-backend.js';
import { canConsume } from './consuming-backend.js';
import { keepsFailedJobs } from './failed-jobs-backend.js';
import { canListQueues } from './listing-backend.js';
import { canPause } from './pausing-backend.js';
import type { QueueBackend } from './queue-backend.js';

/** Methods that every backend has, and those that a capability promises. */
const promised: readonly {
  readonly capability: string | null;
  readonly has: (backend: QueueBackend) => boolean;
  readonly methods: readonly string[];
}[] = [
  {
    capability: null,
    has: () => true,
    methods: ['connect', 'store', 'reserve', 'waitForWork', 'settle', 'count', 'close'],
  },
  { capability: 'clear', has: isClearing, methods: ['clear'] },
  { capability: 'listQueues', has: canListQueues, methods: ['queues'] },
  { capability: 'pause', has: canPause, methods: ['pauseQueue', 'resumeQueue'] },
  { capability: 'pushDelivery', has: canConsume, methods: ['consume'] },
  { capability: 'browse', has: canBrowse, methods: ['listJobs', 'findJob', 'removeJob', 'promoteJob'] },
  {
    capability: 'failedJobs',
    has: keepsFailedJobs,
    methods: ['listFailed', 'findFailed', 'retryFailed', 'retryAllFailed', 'forgetFailed', 'flushFailed'],
  },
];

/** A method that a backend should have and has not. */
export interface MissingMethod {
  readonly method: string;
  /** The capability that promises it; null where every backend has it. */
  readonly capability: string | null;
}

/** What a backend lacks of `QueueBackend` and of the optional parts that its capabilities claim. */
export function missingMethods(backend: QueueBackend): readonly MissingMethod[] {
  return promised
    .filter(({ has }) => has(backend))
    .flatMap(({ capability, methods }) => methods.map((method) => ({ method, capability })))
    .filter(({ method }) => typeof Reflect.get(backend, method) !== 'function');
}

import type { QueueConnection } from '../queue/index.js';
import type { WorkerOptions } from './worker-options.js';

/** Whether a reserve that is sent after a settlement finds it applied: its slot is free as soon as it is sent. */
export function settlesFirst({ backend }: QueueConnection, { queues }: WorkerOptions): boolean {
  return backend.settlesBeforeReserve === true && queues.length === 1;
}

/** The keys of one queue, by the names that the scripts have for them. Their hash tag keeps them on one node. */
export type QueueKey =
  | 'pending'
  | 'delayed'
  | 'leased'
  | 'running'
  | 'prioritized'
  | 'unique'
  | 'failed'
  | 'failed-index'
  | 'bodies'
  | 'place'
  | 'paused';

export function queueKey(prefix: string, queue: string, key: QueueKey): string {
  return `${prefix}:{${queue}}:${key}`;
}

/** The set of names of queues that were ever pushed to. */
export function registryKey(prefix: string): string {
  return `${prefix}:queues`;
}

/** The channel on which hints about work are told. */
export function hintsChannel(prefix: string): string {
  return `${prefix}:hints`;
}

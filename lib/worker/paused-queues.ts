import type { QueueConnection } from '../queue/index.js';

/**
 * Which of the queues are paused for all workers, in their order; none where the backend cannot pause. Rejects with the
 * backend's errors.
 */
export async function pausedAmong(
  { backend }: QueueConnection,
  queues: readonly string[],
): Promise<readonly string[]> {
  if (!backend.capabilities.pause) return [];
  const paused: string[] = [];
  // One after the other: a long list must not crowd out the first look for work.
  for (const queue of queues) if ((await backend.count(queue)).paused) paused.push(queue);
  return paused;
}

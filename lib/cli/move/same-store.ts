import { randomBytes } from 'node:crypto';
import { canPause, type QueueBackend } from '../../contract/index.js';

/**
 * Whether two backends keep their jobs in one place, where what is removed at the source would be gone at the
 * destination too. A queue that nobody has is paused at the one and looked at through the other.
 */
export async function isSameStore(source: QueueBackend, destination: QueueBackend): Promise<boolean> {
  if (source.driver !== destination.driver || !canPause(source)) return false;
  const probe = `kinetis-move-probe-${randomBytes(8).toString('hex')}`;
  await source.pauseQueue(probe);
  try {
    return (await destination.count(probe)).paused;
  } finally {
    await source.resumeQueue(probe);
  }
}

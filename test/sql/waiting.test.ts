import { describe, expect, it } from 'vitest';
import { migrated, newJob } from '../support/sql-files.js';

const never = new AbortController().signal;

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

/** Resolves with true when the wait ended because of `event`, false when it had ended before. */
async function endedBy(waiting: Promise<unknown>, event: () => Promise<unknown> | void): Promise<boolean> {
  let ended = false;
  const watched = waiting.then(() => (ended = true));
  await new Promise((resolve) => setImmediate(resolve));
  const before = ended;
  await event();
  await watched;
  return !before;
}

describe('waiting for work on the sql backend', () => {
  it.each(['store', 'release', 'resume', 'abort', 'close'] as const)('ends with a %s', async (event) => {
    const { backend } = await migrated();
    await backend.store([newJob()]);
    const [item] = await backend.reserve(['mail'], 1);
    const abort = new AbortController();
    // Longer than a test may take, if the wait were not cut to its pause; the wait is found ended by the event.
    const before = timers();
    const waiting = backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal: abort.signal });
    const ended = await endedBy(waiting, async () => {
      if (event === 'store') await backend.store([newJob()]);
      if (event === 'resume') await backend.resumeQueue('mail');
      if (event === 'abort') abort.abort();
      if (event === 'close') await backend.close();
      if (event === 'release') {
        await backend.settle([
          { operation: 'release', receipt: item?.receipt, changes: {}, delaySeconds: 0 },
        ]);
      }
    });
    expect(ended).toBe(true);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('ends with its time', async () => {
    const { backend } = await migrated();
    expect(await backend.waitForWork(['mail'], { timeoutMs: 5, limit: 1, signal: never })).toEqual([]);
  });

  it('does not begin when a job came after the sweep began', async () => {
    const { backend } = await migrated();
    const sweep = backend.reserve(['mail'], 1);
    const stored = backend.store([newJob()]);
    await Promise.all([sweep, stored]);
    let ended = false;
    const waiting = backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal: never });
    void waiting.then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(true);
  });

  it('does not begin after an abort', async () => {
    const { backend } = await migrated();
    const signal = AbortSignal.abort();
    expect(await backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal })).toEqual([]);
  });
});

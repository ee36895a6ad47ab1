import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when `check` answers true; rejects after 20 seconds and says what it waited for. */
export async function waitFor(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Expected ${what} within 20 s.`);
    await pause(10);
  }
}

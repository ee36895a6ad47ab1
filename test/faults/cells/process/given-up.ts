import { waitFor } from '../../../support/eventually.js';
import type { Trial } from '../../trial/trial.js';

/** Waits until workers have given those jobs up, for that cause, and writes each as a fault that was there. */
export async function givenUp(trial: Trial, jobs: readonly number[], cause: string): Promise<void> {
  for (const job of jobs) {
    const id = await idOf(trial, job);
    trial.fault('poisoned', 'queue', { id, detail: cause });
    await waitFor(
      `job ${job} to be given up (${cause})`,
      () =>
        trial.ledger
          .entries()
          .some((entry) => entry.kind === 'settle-ok' && entry.id === id && entry.cause === cause),
      60_000,
    );
  }
}

function idOf({ ledger }: Trial, job: number): Promise<string> {
  return waitFor(
    `the push of job ${job}`,
    () => {
      const found = ledger.entries().find((entry) => entry.kind === 'push-ok' && entry.job === job);
      return found?.kind === 'push-ok' ? found.id : undefined;
    },
    60_000,
  );
}

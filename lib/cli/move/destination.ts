import {
  canBrowse,
  ConnectionFailed,
  type NewJob,
  type QueueBackend,
  QueueServerException,
  ServerRefused,
  type StoreOutcome,
} from '../../contract/index.js';

/** Characters of bodies that one step stores at most, unless a single job brings more. */
const LARGEST_STEP = 4 * 1_024 * 1_024;

/** What became of one job at the destination. */
export type Stored = 'stored' | 'there' | 'unique-key' | 'refused';

/** The store that jobs are moved to. */
export class Destination {
  constructor(
    readonly backend: QueueBackend,
    /** How many jobs are looked for at most: where an id is no index, each look reads a queue from its start. */
    private looksLeft: number,
  ) {}

  /** Whether the job is there; false where the store cannot be looked into, or was looked into often enough. */
  async has({ queue, id }: NewJob): Promise<boolean> {
    if (!canBrowse(this.backend) || this.looksLeft <= 0) return false;
    this.looksLeft -= 1;
    return (await this.backend.findJob(queue, id)) !== null;
  }

  /** Takes a job back that was stored; false where it cannot be, for it may run by now. */
  async takeBack({ queue, id }: NewJob): Promise<boolean> {
    return canBrowse(this.backend) && this.backend.removeJob(queue, id);
  }

  /**
   * Stores the jobs of one step; an answer for each, in order. Throws what the server said where it refused, or gave no
   * answer: then none of them may be settled at the source.
   */
  async store(jobs: readonly NewJob[]): Promise<readonly Stored[]> {
    if (jobs.length === 0) return [];
    const outcomes = await this.backend.store(jobs);
    const trouble = outcomes.find((outcome) => 'error' in outcome && isServers(outcome));
    if (trouble !== undefined && 'error' in trouble) throw trouble.error;
    const wasRefused = outcomes.some(({ status }) => status === 'refused');
    // All or none: one that it does not take keeps the others out.
    if (wasRefused && jobs.length > 1) {
      const stored: Stored[] = [];
      for (const [index, job] of jobs.entries()) {
        const outcome = outcomes[index];
        stored.push(
          ...(outcome?.status === 'refused' ? await this.store([job]) : [await this.#answer(job, outcome)]),
        );
      }
      return stored;
    }
    return Promise.all(jobs.map((job, index) => this.#answer(job, outcomes[index])));
  }

  async #answer(job: NewJob, outcome: StoreOutcome | undefined): Promise<Stored> {
    if (outcome?.status === 'applied') return 'stored';
    if (outcome?.status !== 'duplicate') return 'refused';
    // A move that was ended may have stored the job itself, which then holds its own key.
    const isThere = canBrowse(this.backend) && (await this.backend.findJob(job.queue, job.id)) !== null;
    return isThere ? 'there' : 'unique-key';
  }
}

function isServers({ error, status }: Extract<StoreOutcome, { error: Error }>): boolean {
  return status === 'unknown' || error instanceof QueueServerException;
}

/** Cuts a list so that no part brings more than one step stores. */
export function stepsOf<Entry extends { readonly job: NewJob }>(
  entries: readonly Entry[],
): readonly (readonly Entry[])[] {
  const steps: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const { length } = entry.job.body;
    if (steps.length === 0 || length > room) {
      steps.push([]);
      room = LARGEST_STEP;
    }
    steps.at(-1)?.push(entry);
    room -= length;
  }
  return steps;
}

/** Whether a store that threw may have kept the jobs all the same. */
export function mayBeStored(error: unknown): boolean {
  return !(error instanceof ConnectionFailed || error instanceof ServerRefused);
}

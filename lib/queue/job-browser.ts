import {
  assertJobId,
  assertLimit,
  assertQueueName,
  type BrowsingBackend,
  describe,
  InvalidQueueArgumentException,
  type JobState,
} from '../contract/index.js';
import { type BrowsedJob, browsedJobOf } from './job-view.js';

/** Which page of which jobs `browse.list()` answers. */
export interface BrowseOptions {
  readonly queue: string;
  /** By time, as counts are (ready). */
  readonly state?: JobState;
  /** How many at most (50). */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
}

const STATES: readonly JobState[] = ['ready', 'delayed', 'reserved'];

/**
 * Looks at the jobs of one connection one by one.
 *
 * @publicApi
 */
export class JobBrowser {
  readonly #backend: BrowsingBackend;

  constructor(backend: BrowsingBackend) {
    this.#backend = backend;
  }

  async list(
    options: BrowseOptions,
  ): Promise<{ readonly jobs: readonly BrowsedJob[]; readonly cursor: string | null }> {
    const { queue, state = 'ready', limit = 50, cursor } = options;
    assertQueueName(queue, 'browse.list(): queue');
    assertLimit(limit, 'browse.list(): limit');
    if (!STATES.includes(state)) {
      throw new InvalidQueueArgumentException(
        `browse.list(): state: expected one of ${STATES.join(', ')}, came ${describe(state)}.`,
      );
    }
    const page = await this.#backend.listJobs({
      queue,
      state,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { jobs: page.jobs.map(browsedJobOf), cursor: page.cursor };
  }

  async find(queue: string, id: string): Promise<BrowsedJob | null> {
    assertQueueName(queue, 'browse.find(): queue');
    assertJobId(id, 'browse.find(): id');
    const stored = await this.#backend.findJob(queue, id);
    return stored === null ? null : browsedJobOf(stored);
  }

  /** Removes a ready or delayed job; false when there is none, or a worker holds it. */
  async remove(queue: string, id: string): Promise<boolean> {
    assertQueueName(queue, 'browse.remove(): queue');
    assertJobId(id, 'browse.remove(): id');
    return this.#backend.removeJob(queue, id);
  }

  /** Makes a delayed job ready now; false when there is no such delayed job. */
  async promote(queue: string, id: string): Promise<boolean> {
    assertQueueName(queue, 'browse.promote(): queue');
    assertJobId(id, 'browse.promote(): id');
    return this.#backend.promoteJob(queue, id);
  }
}

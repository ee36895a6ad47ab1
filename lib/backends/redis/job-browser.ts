import { createHash } from 'node:crypto';
import {
  type BrowsePage,
  type BrowseQuery,
  type JobState,
  pageOf,
  placeOfCursor,
  type StoredJob,
} from '../../contract/index.js';
import { bodyOf, readMember } from './member.js';
import type { Scripts } from './scripts.js';

/** Members that one step looks at: an id is no index, so that finding one reads a queue from its start. */
const FIND_STEP = 1_000;

const PLACES = ['delayed', 'prioritized', 'pending', 'leased'] as const;
type Place = (typeof PLACES)[number];

/** Where a job stands. */
export interface FoundJob {
  readonly place: Place;
  readonly member: Buffer;
  readonly job: StoredJob;
}

/** Looks at the jobs of a queue. What moves meanwhile may be seen twice, or missed. */
export class JobBrowser {
  constructor(private readonly scripts: Scripts) {}

  /** The cursor is how many were passed over. */
  async list({ queue, state, limit, cursor }: BrowseQuery): Promise<BrowsePage> {
    const skip = placeOfCursor(cursor, 0);
    const answer = (await this.scripts.run('browse', queue, [state, skip, limit + 1])) as (Buffer | null)[];
    const entries = [];
    for (let index = 0; index < answer.length; index += 3) {
      const [bytes = null, due, large] = answer.slice(index, index + 3);
      const seen = { bytes, state, due: String(due), large: large ?? undefined };
      entries.push({ seen, place: skip + index / 3 + 1 });
    }
    const page = pageOf(
      entries,
      limit,
      ({ seen }) => seen,
      ({ place }) => place,
    );
    const jobs = page.jobs.flatMap(({ bytes, ...seen }) =>
      // A delivery that ended between two writes of a script is there without a job.
      bytes === null ? [] : [storedJobOf(queue, { ...seen, bytes })],
    );
    return { jobs, cursor: page.cursor };
  }

  async find(queue: string, id: string): Promise<FoundJob | null> {
    for (const place of PLACES) {
      for (let from = 0; ; from += FIND_STEP) {
        const answer = await this.scripts.run('findJob', queue, [place, id, from, FIND_STEP]);
        const [found, bytes, score, come, large] = answer as [number?, Buffer?, Buffer?, number?, Buffer?];
        if (found === undefined) break;
        if (found !== 1 || bytes === undefined) continue;
        const state = stateOf(place, come === 1);
        const job = storedJobOf(queue, { bytes, state, due: String(score), large });
        return { place, member: bytes, job };
      }
    }
    return null;
  }
}

/** By time: what is due or expired is ready. */
function stateOf(place: Place, hasCome: boolean): JobState {
  if (place === 'delayed') return hasCome ? 'ready' : 'delayed';
  if (place === 'leased') return hasCome ? 'ready' : 'reserved';
  return 'ready';
}

interface Seen {
  readonly bytes: Buffer;
  readonly state: JobState;
  /** Milliseconds, as text. */
  readonly due: string;
  readonly large: Buffer | undefined;
}

function storedJobOf(queue: string, { bytes, state, due, large }: Seen): StoredJob {
  const member = readMember(bytes);
  return {
    // What has no id is called by what it is.
    id: member.id === '' ? createHash('sha256').update(bytes).digest('hex').slice(0, 32) : member.id,
    queue,
    state,
    header: member.header,
    body: bodyOf(member, large),
    dueAt: state === 'ready' ? null : new Date(Number(due)),
  };
}

import {
  type FailedJobsPage,
  type FailedJobsQuery,
  type Failure,
  InvalidQueueArgumentException,
  type RetryAllResult,
  type RetryOutcome,
  type StoredFailedJob,
} from '../../contract/index.js';
import { bodyOf, readMember } from './member.js';
import type { RedisBackendParts } from './redis-backend-parts.js';
import type { ScriptName } from './scripts.js';
import { translateError } from './server-errors.js';
import type { WireArgument } from './wire.js';

/** Jobs that one step moves or removes at most. */
const STEP_SIZE = 100;

const OUTCOMES: readonly RetryOutcome[] = ['missing', 'retried', 'duplicate'];

/** A failed job, and where it stands among all: by time, then by queue. */
interface Listed {
  readonly time: number;
  readonly job: StoredFailedJob;
}

/** The end of a page: `<µs>` of its last job and that job's queue. */
interface Cursor {
  readonly time: number;
  readonly queue: string;
}

/** The failed store: a hash and an index for each queue, merged where all queues are asked for. */
export class RedisFailedJobs {
  constructor(
    private readonly parts: RedisBackendParts,
    private readonly retried: (queue: string) => void,
  ) {}

  async list({ queue, limit, cursor }: FailedJobsQuery): Promise<FailedJobsPage> {
    const before = cursorOf(cursor);
    const pages = await Promise.all(
      (await this.queuesOf(queue)).map((name) => this.page(name, boundOf(before, name), limit + 1)),
    );
    const found = pages.flat().sort((a, b) => b.time - a.time || (a.job.queue < b.job.queue ? -1 : 1));
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      jobs: page.map(({ job }) => job),
      cursor: found.length > limit && last !== undefined ? `${last.time}:${last.job.queue}` : null,
    };
  }

  async find(id: string, queue?: string): Promise<StoredFailedJob | null> {
    for (const name of await this.queuesFrom(queue)) {
      const [record, large] = (await this.run('findFailed', name, [id])) as (Buffer | undefined)[];
      if (record !== undefined) return failedJobOf(name, id, record, large).job;
    }
    return null;
  }

  async retry(id: string, queue?: string): Promise<RetryOutcome> {
    for (const name of await this.queuesFrom(queue)) {
      const [outcome = 'missing'] = await this.retryOf(name, [id]);
      if (outcome !== 'missing') return outcome;
    }
    return 'missing';
  }

  /** Newest first, so that what fails again meanwhile is not met twice. */
  async retryAll(queue: string | undefined): Promise<RetryAllResult> {
    const counts = { retried: 0, duplicates: 0 };
    for (const name of await this.queuesOf(queue)) {
      let bound = '+inf';
      for (;;) {
        const page = await this.page(name, bound, STEP_SIZE);
        const last = page.at(-1);
        if (last === undefined) break;
        const outcomes = await this.retryOf(
          name,
          page.map(({ job }) => job.id),
        );
        counts.retried += outcomes.filter((outcome) => outcome === 'retried').length;
        counts.duplicates += outcomes.filter((outcome) => outcome === 'duplicate').length;
        bound = `(${last.time}`;
      }
    }
    return counts;
  }

  async forget(id: string, queue?: string): Promise<boolean> {
    for (const name of await this.queuesFrom(queue)) {
      if ((await this.run('forgetFailed', name, [id])) === 1) return true;
    }
    return false;
  }

  async flush(queue: string | undefined): Promise<number> {
    let deleted = 0;
    for (const name of await this.queuesOf(queue)) {
      for (;;) {
        const step = Number(await this.run('flushFailed', name, [STEP_SIZE]));
        deleted += step;
        if (step < STEP_SIZE) break;
      }
    }
    return deleted;
  }

  private async page(queue: string, bound: string, limit: number): Promise<Listed[]> {
    const answer = (await this.run('listFailed', queue, [bound, limit])) as Buffer[];
    const listed: Listed[] = [];
    for (let index = 0; index < answer.length; index += 4) {
      const [id, , record, large] = answer.slice(index, index + 4);
      if (id !== undefined && record !== undefined)
        listed.push(failedJobOf(queue, String(id), record, large));
    }
    return listed;
  }

  private async retryOf(queue: string, ids: readonly string[]): Promise<readonly RetryOutcome[]> {
    const answers = (await this.run('retryFailed', queue, ids)) as number[];
    const outcomes = answers.map((answer) => OUTCOMES[answer] ?? 'missing');
    if (outcomes.includes('retried')) this.retried(queue);
    return outcomes;
  }

  private async queuesOf(queue: string | undefined): Promise<readonly string[]> {
    if (queue !== undefined) return [queue];
    try {
      return await this.parts.registry.names();
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }

  /** Every queue, for an id alone says all; the one where it is said to be first. */
  private async queuesFrom(first: string | undefined): Promise<readonly string[]> {
    const names = await this.queuesOf(undefined);
    return first === undefined ? names : [first, ...names.filter((name) => name !== first)];
  }

  private async run(name: ScriptName, queue: string, args: readonly WireArgument[]): Promise<unknown> {
    try {
      return await this.parts.scripts.run(name, queue, args);
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }
}

function cursorOf(cursor: string | undefined): Cursor | null {
  if (cursor === undefined) return null;
  const [, time, queue = ''] = /^(\d{1,16}):([\w-]+)$/.exec(cursor) ?? [];
  if (time === undefined) {
    throw new InvalidQueueArgumentException(
      'cursor: expected the cursor of an earlier page, came another text.',
    );
  }
  return { time: Number(time), queue };
}

/** The latest time of a queue that comes behind a cursor, as a bound of ZREVRANGEBYSCORE. */
function boundOf(before: Cursor | null, queue: string): string {
  if (before === null) return '+inf';
  return queue > before.queue ? String(before.time) : `(${before.time}`;
}

/** A record as scripts/parts/failed.lua writes it. */
function failedJobOf(queue: string, id: string, record: Buffer, large: Buffer | undefined): Listed {
  const afterTime = record.indexOf('|');
  const afterLength = record.indexOf('|', afterTime + 1);
  const time = Number(record.toString('latin1', 0, afterTime));
  const end = afterLength + 1 + Number(record.toString('latin1', afterTime + 1, afterLength));
  const member = readMember(record.subarray(end));
  return {
    time,
    job: {
      id,
      queue,
      header: member.header,
      body: bodyOf(member, large),
      failure: JSON.parse(record.toString('utf8', afterLength + 1, end)) as Failure,
      failedAt: new Date(time / 1_000),
    },
  };
}

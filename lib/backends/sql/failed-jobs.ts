import {
  type FailedJobsPage,
  type FailedJobsQuery,
  type RetryAllResult,
  type RetryOutcome,
  type StoredFailedJob,
  pageOf,
  placeOfCursor,
} from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import type { SqlSession } from './executor/sql-executor.js';
import { storedFailedJobOf } from './job-row.js';
import { translateError } from './server-errors.js';
import type { SqlBackendParts } from './sql-backend-parts.js';
import type { Work } from './sql-gate.js';
import { isStorableId } from './storable-id.js';

/** Rows that one step moves or removes at most: SQLite has one writer, and its steps stop this process. */
const STEP_SIZE = 100;

/** The failed store, seen from above: pages, and long operations in bounded steps. */
export class SqlFailedJobs {
  constructor(
    private readonly parts: SqlBackendParts,
    private readonly retried: (queue: string) => void,
  ) {}

  async list({ queue, limit, cursor }: FailedJobsQuery): Promise<FailedJobsPage> {
    const seq = placeOfCursor(cursor, Number.MAX_SAFE_INTEGER);
    const rows = await this.step((session, { failed }) =>
      failed.list(session, queue ?? null, seq, limit + 1),
    );
    return pageOf(rows, limit, storedFailedJobOf, (row) => row['seq']);
  }

  async find(id: string): Promise<StoredFailedJob | null> {
    if (!isStorableId(id)) return null;
    const row = await this.step((session, { failed }) => failed.find(session, id));
    return row === null ? null : storedFailedJobOf(row);
  }

  async retry(id: string): Promise<RetryOutcome> {
    if (!isStorableId(id)) return 'missing';
    const found = await this.step(async (session, { failed }) => {
      const row = await failed.find(session, id);
      if (row === null) return null;
      return { queue: String(row['queue']), outcome: await failed.retry(session, Number(row['seq'])) };
    });
    if (found?.outcome === 'retried') this.retried(found.queue);
    return found?.outcome ?? 'missing';
  }

  /** Newest first, so that what fails again meanwhile is not met twice. */
  async retryAll(queue: string | undefined): Promise<RetryAllResult> {
    const counts = { retried: 0, duplicates: 0 };
    let seq = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const step = await this.step((session, dialect) => retryStep(session, dialect, queue ?? null, seq));
      for (const { queue: of, outcome } of step) {
        if (outcome === 'retried') this.retried(of);
        if (outcome !== 'missing') counts[outcome === 'retried' ? 'retried' : 'duplicates'] += 1;
      }
      if (step.length < STEP_SIZE) return counts;
      seq = Math.min(...step.map((entry) => entry.seq));
    }
  }

  async forget(id: string): Promise<boolean> {
    if (!isStorableId(id)) return false;
    return this.step((session, { failed }) => failed.forget(session, id));
  }

  async flush(queue: string | undefined): Promise<number> {
    let deleted = 0;
    for (;;) {
      const step = await this.step((session, { failed }) => failed.flush(session, queue ?? null, STEP_SIZE));
      deleted += step;
      if (step < STEP_SIZE) return deleted;
    }
  }

  private async step<T>(work: Work<T>): Promise<T> {
    try {
      return await this.parts.gate.session(work);
    } catch (error) {
      throw translateError(error, 'failed jobs');
    }
  }
}

interface Retried {
  readonly seq: number;
  readonly queue: string;
  readonly outcome: RetryOutcome;
}

function retryStep(
  session: SqlSession,
  { failed }: SqlDialect,
  queue: string | null,
  before: number,
): Promise<readonly Retried[]> {
  return session.atomically(async () => {
    const step: Retried[] = [];
    for (const row of await failed.list(session, queue, before, STEP_SIZE)) {
      const seq = Number(row['seq']);
      step.push({ seq, queue: String(row['queue']), outcome: await failed.retry(session, seq) });
    }
    return step;
  });
}

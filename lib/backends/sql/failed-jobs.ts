import {
  type FailedJobsPage,
  type FailedJobsQuery,
  type RetryAllResult,
  type RetryOutcome,
  type StoredFailedJob,
  pageOf,
  placeOfCursor,
} from '../../contract/index.js';
import type { SqlSession } from './executor/sql-executor.js';
import { storedFailedJobOf } from './job-row.js';
import { translateError } from './server-errors.js';
import type { SqlBackendParts } from './sql-backend-parts.js';

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
    const rows = await this.session((session) => this.failed.list(session, queue ?? null, seq, limit + 1));
    return pageOf(rows, limit, storedFailedJobOf, (row) => row['seq']);
  }

  async find(id: string): Promise<StoredFailedJob | null> {
    const row = await this.session((session) => this.failed.find(session, id));
    return row === null ? null : storedFailedJobOf(row);
  }

  async retry(id: string): Promise<RetryOutcome> {
    const found = await this.transaction(async (session) => {
      const row = await this.failed.find(session, id);
      if (row === null) return null;
      return { queue: String(row['queue']), outcome: await this.failed.retry(session, Number(row['seq'])) };
    });
    if (found?.outcome === 'retried') this.retried(found.queue);
    return found?.outcome ?? 'missing';
  }

  /** Newest first, so that what fails again meanwhile is not met twice. */
  async retryAll(queue: string | undefined): Promise<RetryAllResult> {
    const counts = { retried: 0, duplicates: 0 };
    let seq = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const step = await this.transaction((session) => this.retryStep(session, queue ?? null, seq));
      for (const { queue: of, outcome } of step) {
        if (outcome === 'retried') this.retried(of);
        counts[outcome === 'retried' ? 'retried' : 'duplicates'] += 1;
      }
      if (step.length < STEP_SIZE) return counts;
      seq = Math.min(...step.map((entry) => entry.seq));
    }
  }

  forget(id: string): Promise<boolean> {
    return this.session((session) => this.failed.forget(session, id));
  }

  async flush(queue: string | undefined): Promise<number> {
    let deleted = 0;
    for (;;) {
      const step = await this.session((session) => this.failed.flush(session, queue ?? null, STEP_SIZE));
      deleted += step;
      if (step < STEP_SIZE) return deleted;
    }
  }

  private async retryStep(
    session: SqlSession,
    queue: string | null,
    seq: number,
  ): Promise<readonly { seq: number; queue: string; outcome: RetryOutcome }[]> {
    const step = [];
    for (const row of await this.failed.list(session, queue, seq, STEP_SIZE)) {
      const own = Number(row['seq']);
      step.push({ seq: own, queue: String(row['queue']), outcome: await this.failed.retry(session, own) });
    }
    return step;
  }

  private get failed(): SqlBackendParts['dialect']['failed'] {
    return this.parts.dialect.failed;
  }

  private session<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.translated(() => this.parts.gate.session(work));
  }

  private transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.translated(() => this.parts.gate.transaction(work));
  }

  private async translated<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      throw translateError(this.parts.dialect, error, 'failed jobs');
    }
  }
}

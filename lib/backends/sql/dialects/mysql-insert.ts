import type { NewJob } from '../../../contract/index.js';
import type { SqlSession } from '../executor/sql-executor.js';
import { columnsOf } from '../job-row.js';
import type { MysqlStatements } from './mysql.dialect.js';
import { all } from './statement.js';

/** Rows and characters of bodies that one statement holds at most: servers bound its length (16 MB by default). */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 1_000_000;

/** Leaves a row alone whose unique key is there already. */
const UNLESS_TAKEN = '\non duplicate key update seq = seq';

/** Stores jobs by statements of many rows. */
export function insertOnMysql(
  sql: MysqlStatements,
): (session: SqlSession, jobs: readonly NewJob[]) => Promise<readonly boolean[]> {
  const { sql: text, names } = sql.insert;
  const start = text.indexOf('(', text.indexOf('\nvalues'));
  const [head, row] = [text.slice(0, start), text.slice(start)];

  const insertAll = (session: SqlSession, jobs: readonly NewJob[], ending = ''): Promise<number> => {
    const values = jobs.flatMap((job) => {
      const columns = columnsOf(job);
      return names.map((name) => columns[name] ?? null);
    });
    return session.run(`${head}${jobs.map(() => row).join(', ')}${ending}`, values);
  };

  return async (session, jobs) => {
    const chunks = chunksOf(jobs);
    const isPlain = jobs.every(({ header }) => header.uniqueKey === null);
    if (chunks.length <= 1 && isPlain) {
      await insertAll(session, jobs);
      return jobs.map(() => true);
    }
    return session.atomically(async () => {
      for (const chunk of chunks) await insertAll(session, chunk, isPlain ? '' : UNLESS_TAKEN);
      if (isPlain) return jobs.map(() => true);
      // Nobody else sees these rows before the commit, so what is there now is what was stored.
      const ids = jobs.filter(({ header }) => header.uniqueKey !== null).map(({ id }) => id);
      const found = new Set((await all(session, sql.stored, { ids })).map((stored) => stored['id']));
      return jobs.map(({ id, header }) => header.uniqueKey === null || found.has(id));
    });
  };
}

function chunksOf(jobs: readonly NewJob[]): NewJob[][] {
  const chunks: NewJob[][] = [];
  let characters = 0;
  for (const job of jobs) {
    const chunk = chunks.at(-1);
    characters += job.body.length;
    if (chunk !== undefined && chunk.length < MAX_ROWS && characters <= MAX_CHARACTERS) {
      chunk.push(job);
    } else {
      chunks.push([job]);
      characters = job.body.length;
    }
  }
  return chunks;
}

// A file of its own for each cell.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function openPlace() {
  const { migrateSqlQueue } = await import('../../../dist/lib/sql.js');
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-bench-'));
  let cells = 0;
  return {
    settings: 'SQLite files, WAL, synchronous = normal',
    async fresh({ kind }) {
      await rm(join(folder, `${cells}.sqlite`), { force: true });
      cells += 1;
      const file = join(folder, `${cells}.sqlite`);
      const connection = { driver: 'sqlite', database: file };
      if (kind === 'ours' || kind === 'scoped') await migrateSqlQueue(connection);
      return { file, ours: { name: 'sql', options: { connection } } };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

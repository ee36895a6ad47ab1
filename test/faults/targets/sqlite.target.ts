import { join } from 'node:path';
import { migrateSqlQueue, sql, type SqlOptions } from '../../../lib/sql.js';
import { temporaryFolder } from '../../support/sqlite-queue.js';
import type { TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import { storedTarget } from './stored-target.js';

/** A file: there is no server that could fall silent, and no wire to it. */
export const sqliteTarget: TargetKind = {
  name: 'sqlite',
  rules: FENCED_LEASES,
  async open({ leaseSeconds }) {
    const folder = temporaryFolder();
    const connection = { driver: 'sqlite', file: join(folder.path, 'queue.sqlite') } as const;
    await migrateSqlQueue(connection);
    const options: SqlOptions = { connection, leaseSeconds };
    return storedTarget({
      kind: sqliteTarget,
      leaseSeconds,
      environment: () => faultEnvironment({ driver: 'sql', options }),
      direct: sql(options),
      server: null,
      proxies: null,
      remove: async () => folder.remove(),
    });
  },
};

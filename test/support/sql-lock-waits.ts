import { setTimeout as pause } from 'node:timers/promises';
import type { ServerOrm } from './sql-servers.js';

/** Sessions of this database that wait for a lock. */
const WAITING = {
  postgresql: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  mariadb: `
    select id from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
    where trx_state = 'LOCK WAIT' and db = database()`,
};

/** InnoDB looks again only when nobody has asked it for 100 ms; who asks more often is told the same for ever. */
const BETWEEN_LOOKS_MS = { postgresql: 0, mariadb: 120 };

/** Whether a statement in the database of that MikroORM waits for a lock of another session. */
export async function isLockAwaited(orm: ServerOrm, name: 'postgresql' | 'mariadb'): Promise<boolean> {
  await pause(BETWEEN_LOOKS_MS[name]);
  return (await orm.em.getConnection().execute<unknown[]>(WAITING[name])).length > 0;
}

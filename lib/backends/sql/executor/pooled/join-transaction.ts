import type { KyselyConnectionLike } from '../mikro-orm.js';
import type { Statements } from '../transaction.js';
import { kyselyStatements } from '../kysely-statements.js';
import type { PooledDriver } from './pooled-driver.js';

/** Statements within a transaction of knex (MikroORM 6) or kysely (7); null when it is neither. */
export async function joinTransaction(driver: PooledDriver, context: object): Promise<Statements | null> {
  if (typeof Reflect.get(context, 'executeQuery') === 'function') {
    return kyselyStatements(context as KyselyConnectionLike);
  }
  const raw = await rawConnectionOf(context);
  return raw === null ? null : whileOpen(context, driver.statements(raw));
}

/** knex gives a transaction the connection that it runs on; it is the application's, and not to be given back. */
async function rawConnectionOf(context: object): Promise<object | null> {
  const client: unknown = Reflect.get(context, 'client');
  if (typeof client !== 'object' || client === null) return null;
  const acquire: unknown = Reflect.get(client, 'acquireConnection');
  const raw: unknown = typeof acquire === 'function' ? await acquire.call(client) : null;
  return typeof raw === 'object' ? raw : null;
}

/** After the transaction its connection is another's, and a statement would run outside any transaction. */
function whileOpen(context: object, statements: Statements): Statements {
  const check = (): void => {
    const isCompleted: unknown = Reflect.get(context, 'isCompleted');
    if (typeof isCompleted === 'function' && isCompleted.call(context) === true) {
      throw new Error('The transaction has ended.');
    }
  };
  return {
    async run(sql, values) {
      check();
      return statements.run(sql, values);
    },
    async all(sql, values) {
      check();
      return statements.all(sql, values);
    },
  };
}

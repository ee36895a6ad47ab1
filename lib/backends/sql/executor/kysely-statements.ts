import type { KyselyConnectionLike } from './mikro-orm.js';
import type { SqlValue } from './sql-executor.js';
import type { Statements } from './transaction.js';

/** Statements on a connection, or in a transaction, of kysely, which passes text and values to the driver (MikroORM 7). */
export function kyselyStatements(connection: KyselyConnectionLike): Statements {
  const execute = (
    sql: string,
    values: readonly SqlValue[] = [],
  ): ReturnType<typeof connection.executeQuery> =>
    connection.executeQuery({
      sql,
      parameters: values,
      query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
      queryId: { queryId: 'kinetis-queue' },
    });
  return {
    async run(sql, values) {
      const result = await execute(sql, values);
      return result.numAffectedRows === undefined ? result.rows.length : Number(result.numAffectedRows);
    },
    async all(sql, values) {
      return (await execute(sql, values)).rows;
    },
  };
}

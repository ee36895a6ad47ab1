/** The parts of a MikroORM that the queue uses, described by shape: version 6 and 7 both fit, and no type of either leaks. */
export interface MikroOrmLike {
  readonly em: EntityManagerLike;
  readonly config?: { get(option: string): unknown };
  close(force?: boolean): Promise<void>;
}

/**
 * An entity manager of MikroORM, as far as the queue needs it.
 *
 * @publicApi
 */
export interface EntityManagerLike {
  getConnection(): unknown;
  getTransactionContext(): unknown;
}

/** knex, which MikroORM 6 speaks through. */
export interface KnexLike {
  readonly client: {
    readonly dialect: string;
    readonly pool?: PoolLike;
    readonly connectionSettings?: { readonly filename?: string };
  };
}

export interface PoolLike {
  acquire(): { readonly promise: Promise<unknown>; abort(): void };
  release(connection: unknown): boolean;
}

/** kysely, which MikroORM 7 speaks through. */
export interface KyselyLike {
  connection(): { execute<T>(work: (connection: KyselyConnectionLike) => Promise<T>): Promise<T> };
}

export interface KyselyConnectionLike {
  executeQuery(query: object): Promise<{
    readonly rows: readonly { readonly [column: string]: unknown }[];
    readonly numAffectedRows?: bigint;
  }>;
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is { readonly [Method in Name]: (...values: readonly unknown[]) => unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    name in value &&
    typeof Reflect.get(value, name) === 'function'
  );
}

export function isMikroOrm(value: unknown): value is MikroOrmLike {
  return hasMethod(value, 'close') && 'em' in value && isEntityManager(value.em);
}

export function isEntityManager(value: unknown): value is EntityManagerLike {
  return hasMethod(value, 'getConnection') && hasMethod(value, 'getTransactionContext');
}

/** The knex instance of a connection of MikroORM 6, undefined with another version. */
export function knexOf(connection: unknown): KnexLike | undefined {
  if (!hasMethod(connection, 'getKnex')) return undefined;
  return connection.getKnex() as KnexLike;
}

/** The kysely instance of a connection of MikroORM 7, undefined with another version. */
export function kyselyOf(connection: unknown): KyselyLike | undefined {
  if (!hasMethod(connection, 'getClient')) return undefined;
  return connection.getClient() as KyselyLike;
}

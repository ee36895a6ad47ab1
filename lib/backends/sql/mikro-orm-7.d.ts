/** What is used of a package that MikroORM 7 has and 6, which the project itself is built with, has not. */
declare module '@mikro-orm/sql' {
  export const MikroORM: { init(options: object): Promise<unknown> };
  export const SqliteDriver: unknown;
  export const NodeSqliteDialect: new (file: string) => object;
}

export { postgresqlDialect as mysqlDialect } from './postgresql.dialect.js';

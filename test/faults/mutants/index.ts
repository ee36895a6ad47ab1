import { clockMutants } from './clock.mutants.js';
import { memoryMutants } from './memory.mutants.js';
import type { SourceMutants } from './mutant.js';
import { mysqlMutants } from './mysql.mutants.js';
import { postgresqlMutants } from './postgresql.mutants.js';
import { queueMutants } from './queue.mutants.js';
import { rabbitMqMutants } from './rabbitmq.mutants.js';
import { redisMutants } from './redis.mutants.js';
import { sqlMutants } from './sql.mutants.js';
import { sqliteMutants } from './sqlite.mutants.js';
import { sqsMutants } from './sqs.mutants.js';
import { workerMutants } from './worker.mutants.js';

/** The library, broken on purpose, each time in one way that such a library may be broken. */
export const sourceMutants: SourceMutants = {
  ...memoryMutants,
  ...redisMutants,
  ...sqlMutants,
  ...postgresqlMutants,
  ...mysqlMutants,
  ...sqliteMutants,
  ...rabbitMqMutants,
  ...sqsMutants,
  ...clockMutants,
  ...queueMutants,
  ...workerMutants,
};

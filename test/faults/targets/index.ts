import type { TargetKind, TargetName } from '../target.js';
import { memoryTarget } from './memory.target.js';
import { rabbitmqQuorumTarget, rabbitmqTarget } from './rabbitmq.target.js';
import { redisClusterTarget } from './redis-cluster.target.js';
import { redisTarget } from './redis.target.js';
import { mariadbTarget, postgresTarget } from './sql-server.target.js';
import { sqliteTarget } from './sqlite.target.js';
import { sqsTarget } from './sqs.target.js';

/** Every backend that trials run on. */
export const TARGETS: Readonly<Record<TargetName, TargetKind>> = {
  memory: memoryTarget,
  sqlite: sqliteTarget,
  postgres: postgresTarget,
  mariadb: mariadbTarget,
  redis: redisTarget,
  'redis-cluster': redisClusterTarget,
  rabbitmq: rabbitmqTarget,
  'rabbitmq-quorum': rabbitmqQuorumTarget,
  sqs: sqsTarget,
};

/** Stores that the suite is run on, and the backend, by its name in KINETIS_TEST_BACKENDS, that each needs. */
export const stores = {
  memory: 'memory',
  sqlite: 'sqlite',
  postgresql: 'postgres',
  mariadb: 'mariadb',
  redis: 'redis',
  'rabbitmq, ladder': 'rabbitmq',
  'rabbitmq, hold': 'rabbitmq',
  sqs: 'sqs',
} as const;

export type StoreName = keyof typeof stores;

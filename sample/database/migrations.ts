import { kinetisQueueMigrations } from '@kinetis/nestjs-queue/sql';
import { Migration } from '@mikro-orm/migrations';
import { RegistrationsTable } from './registrations-table.migration.js';

/** The application's migrations and, beside them, those of the queue's tables. */
export const migrations = [
  { name: '0001_registrations', class: RegistrationsTable },
  ...kinetisQueueMigrations('sqlite', Migration),
];

import 'reflect-metadata';
import { openDatabase } from './database/open-database.js';
import { readSettings } from './settings.js';

const orm = await openDatabase(readSettings().databaseFile);
try {
  await orm.getMigrator().up();
} finally {
  await orm.close(true);
}

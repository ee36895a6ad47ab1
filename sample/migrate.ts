import 'reflect-metadata';
import { openDatabase } from './database/open-database.js';
import { settingsOrExit } from './settings.js';

const orm = await openDatabase(settingsOrExit().databaseFile);
try {
  await orm.getMigrator().up();
} finally {
  await orm.close(true);
}

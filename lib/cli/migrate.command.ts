import * as v from 'valibot';
import { canMigrate, QueueConfigurationException, type SchemaState } from '../contract/index.js';
import { option } from '../module/configuration/option.js';
import type { Queue } from '../queue/index.js';
import { command } from './command.js';
import { CommandRefusedException } from './command-refused.exception.js';
import type { CommandRun } from './command-run.js';
import type { CommandExitCode } from './exit-code-of.js';
import { CONNECTION_OPTION } from './options.js';

const asked = { expected: 'no value', fallback: false, otherwise: 'off', schema: v.boolean() } as const;

export const migrateCommand = command({
  name: 'migrate',
  summary: "Makes the queue's tables in a database, or brings them up to date.",
  remarks: [
    'It may be repeated at every deploy, and by several processes at once. Older code works with newer tables: migrate',
    'first, then start the workers. --sql prints statements for a tool of your own, to be run in one transaction.',
  ],
  options: {
    ...CONNECTION_OPTION,
    check: option({
      ...asked,
      flag: 'check',
      summary: 'Change nothing; end with 1 where the tables are missing or older.',
    }),
    sql: option({ ...asked, flag: 'sql', summary: 'Change nothing; print the statements that are missing.' }),
  },
  async run({ connection, check = false, sql = false }, run) {
    if (check && sql) throw new QueueConfigurationException('migrate: expected --check or --sql, came both.');
    const queue = await run.open(connection);
    const { backend } = queue.connection;
    if (!canMigrate(backend)) {
      throw new CommandRefusedException(
        `migrate: expected a backend that keeps its jobs in tables, came "${backend.driver}" of the connection ` +
          `"${queue.name}", which has nothing to migrate.`,
      );
    }
    const before = await backend.schemaState();
    if (sql) return printSql(before, run);
    if (check) return printCheck(queue, before, run);
    const version = await backend.migrate();
    if (run.json) run.terminal.printJson({ connection: queue.name, before: before.present, version });
    else run.terminal.print(`"${queue.name}": ${changeOf(before.present, version)}`);
    return 0;
  },
});

function changeOf(before: number, version: number): string {
  if (before === 0) return `made the tables, of version ${version}`;
  if (before < version) return `brought the tables from version ${before} to ${version}`;
  return `the tables are of version ${version} already`;
}

function printSql({ statements }: SchemaState, run: CommandRun): 0 {
  if (run.json) run.terminal.printJson({ statements });
  else for (const statement of statements) run.terminal.print(`${statement};\n`);
  if (statements.length === 0) run.terminal.note('the tables are up to date: there is nothing to run');
  return 0;
}

function printCheck(queue: Queue, { present, needed }: SchemaState, run: CommandRun): CommandExitCode {
  const isCurrent = present >= needed;
  if (run.json) run.terminal.printJson({ connection: queue.name, present, needed, isCurrent });
  else if (isCurrent)
    run.terminal.print(`"${queue.name}": the tables are of version ${present}, as this code needs`);
  else {
    const came = present === 0 ? 'there are no tables' : `the tables are of version ${present}`;
    run.terminal.print(
      `"${queue.name}": ${came}, and this code needs version ${needed}: run kinetis-queue migrate`,
    );
  }
  return isCurrent ? 0 : 1;
}

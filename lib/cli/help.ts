import { usageOf } from '../module/configuration/help.js';
import type { Option } from '../module/configuration/option.js';
import type { Command } from './command.js';
import { COMMON_OPTIONS } from './options.js';

const EXIT_CODES = [
  'Exit codes: 0 done, 1 refused or nothing found, 64 usage, configuration or an older schema, 69 server not reached,',
  '70 internal.',
];

const CONNECTIONS = [
  'Connections come from the environment, as in the application (docs/configuration.md), or from --config.',
];

/** What `--help` prints without a command. */
export function overview(commands: readonly Command[]): string {
  return [
    'Looks after the queues of an application, without starting it.',
    '',
    '  npx kinetis-queue <command> [flags]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    '`npx kinetis-queue <command> --help` tells the flags of a command.',
    '',
    ...CONNECTIONS,
    '',
    ...EXIT_CODES,
    '',
  ].join('\n');
}

/** What `--help` prints for a command. */
export function helpOf({ name, summary, remarks, options }: Command): string {
  const rows = Object.values<Option<unknown>>({ ...options, ...COMMON_OPTIONS }).flatMap((option) =>
    option.flag === null ? [] : [[usageOf(option.flag, option.takes), remarkOf(option)] as const],
  );
  return [
    summary,
    '',
    `  npx kinetis-queue ${name} [flags]`,
    '',
    ...columns([...rows, ['--help', 'Print this and end.']]),
    '',
    ...(remarks.length === 0 ? [] : [...remarks, '']),
    ...CONNECTIONS,
    '',
    ...EXIT_CODES,
    '',
  ].join('\n');
}

function remarkOf({ summary, variable, otherwise }: Option<unknown>): string {
  const from = variable === null ? '' : ` [${variable}]`;
  return `${summary}${from} Default: ${otherwise}.`;
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

import { CONNECTION_OPTIONS } from './connection-options.js';
import type { Option } from './option.js';
import { SERVER_OPTIONS } from './server-options.js';
import { WORKER_OPTIONS } from './worker-options.js';

/** The table of docs/configuration.md, made from the options so that it cannot fall behind. */
export function optionsAsMarkdown(): string {
  return [
    '### Connections',
    '',
    ...variables(Object.values(CONNECTION_OPTIONS)),
    '',
    ...Object.values(SERVER_OPTIONS).flatMap(({ title, options }) => [
      `### ${title}`,
      '',
      ...variables(Object.values(options)),
      '',
    ]),
    '### Workers',
    '',
    ...table(
      ['flag', 'variable', 'option of `worker`', 'expected', 'default', ''],
      Object.entries(WORKER_OPTIONS).map(([key, option]: [string, Option<unknown>]) => [
        code(option.flag === null ? null : usage(option.flag, option.takes)),
        code(option.variable),
        code(option.inModule ? key : null),
        option.expected,
        option.otherwise,
        option.summary,
      ]),
    ),
  ].join('\n');
}

function variables(options: readonly Option<unknown>[]): string[] {
  return table(
    ['variable of `default`', 'of a connection `<NAME>`', 'expected', 'default', ''],
    options.map((option) => [
      code(option.variable),
      code(option.variableOfConnection),
      option.expected,
      option.otherwise,
      option.summary,
    ]),
  );
}

function usage(flag: string, takes: string | null): string {
  return takes === null ? `--${flag}` : `--${flag}=<${takes}>`;
}

function code(text: string | null): string {
  return text === null ? '' : `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

import type { Option } from './option.js';
import { WORKER_OPTIONS } from './worker-options.js';

/** What `--help` prints. */
export function workerHelp(): string {
  const options: readonly Option<unknown>[] = Object.values(WORKER_OPTIONS);
  const rows = options.flatMap((option) =>
    option.flag === null ? [] : [[usageOf(option.flag, option.takes), remarkOf(option)] as const],
  );
  rows.push(['--help', 'Print this and end.']);
  const variables = options.flatMap(({ flag, variable, takes, summary, otherwise }) =>
    flag === null && variable !== null
      ? [[`${variable}=<${takes}>`, `${summary} Default: ${otherwise}.`] as const]
      : [],
  );
  const width = Math.max(...[...rows, ...variables].map(([usage]) => usage.length)) + 2;
  return [
    'Runs the jobs of one queue connection. Flags win over the environment.',
    '',
    ...rows.map(([usage, remark]) => `  ${usage.padEnd(width)}${remark}`),
    '',
    'By the environment only:',
    '',
    ...variables.map(([usage, remark]) => `  ${usage.padEnd(width)}${remark}`),
    '',
    'Exit codes: 0 stopped or a limit reached, 1 forced or unknown, 64 flags, configuration or an older schema,',
    '69 server not reached, 70 internal.',
    '',
  ].join('\n');
}

/** A flag as it is written. */
export function usageOf(flag: string, takes: string | null): string {
  return takes === null ? `--${flag}` : `--${flag}=<${takes}>`;
}

function remarkOf({ summary, variable, otherwise }: Option<unknown>): string {
  const from = variable === null ? '' : ` [${variable}]`;
  return `${summary}${from} Default: ${otherwise}.`;
}

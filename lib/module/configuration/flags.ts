import { parseArgs } from 'node:util';
import { QueueConfigurationException } from '../../contract/index.js';
import { readOption } from './check-option.js';
import { didYouMean } from './did-you-mean.js';
import type { Option } from './option.js';
import { type GivenWorkerOptions, WORKER_OPTIONS } from './worker-options.js';

/** What a command line asks for. */
export interface ParsedFlags {
  readonly help: boolean;
  readonly given: GivenWorkerOptions;
}

const FLAGS: ReadonlyMap<string, readonly [key: string, option: Option<unknown>]> = new Map(
  Object.entries(WORKER_OPTIONS).flatMap(([key, option]: [string, Option<unknown>]) =>
    option.flag === null ? [] : [[option.flag, [key, option] as const]],
  ),
);

/** Reads a worker's flags. Throws `QueueConfigurationException` for what is no flag and for a value that does not fit. */
export function parseFlags(argv: readonly string[]): ParsedFlags {
  const given: Record<string, unknown> = {};
  for (const token of tokensOf(argv)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      throw new QueueConfigurationException(`Expected flags only, came "${token.value}". Run with --help.`);
    }
    if (token.name === 'help' || token.name === 'h') return { help: true, given: {} };
    const [key, option] = FLAGS.get(token.name) ?? refuseUnknown(token.rawName);
    if (key in given) throw new QueueConfigurationException(`--${token.name}: expected once, came again.`);
    given[key] = valueOf(option, token.name, token.value, token.inlineValue);
  }
  return { help: false, given };
}

function tokensOf(argv: readonly string[]) {
  const options = Object.fromEntries(
    [...FLAGS].map(([flag, [, { takes }]]) => [
      flag,
      { type: takes === null ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function valueOf(
  option: Option<unknown>,
  flag: string,
  value: string | undefined,
  inline: boolean | undefined,
): unknown {
  const source = `--${flag}`;
  if (option.takes === null) {
    if (value === undefined) return option.switchesTo;
    throw new QueueConfigurationException(`${source}: expected no value, came one.`);
  }
  // "--queue --once" forgot the names; "--queue=--once" cannot have meant anything else.
  const forgotten = value === undefined || (inline !== true && value.startsWith('--'));
  if (forgotten) {
    throw new QueueConfigurationException(
      `${source}: expected ${option.expected}, came nothing. Use ${source}=….`,
    );
  }
  return readOption(option, source, value);
}

function refuseUnknown(rawName: string): never {
  const known = [...FLAGS.keys(), 'help'];
  throw new QueueConfigurationException(
    `Unknown flag ${rawName}.${didYouMean(rawName.replace(/^-+/, ''), known, '--')} Run with --help.`,
  );
}

import { parseArgs } from 'node:util';
import { describe, QueueConfigurationException } from '../../contract/index.js';
import { checkOption, readOption } from './check-option.js';
import { didYouMean } from './did-you-mean.js';
import type { Option } from './option.js';

/** The rows of a table that have a flag, by that flag. */
export type FlagTable = ReadonlyMap<string, readonly [key: string, option: Option<unknown>]>;

/** What a command line gives. */
export interface ReadFlags {
  readonly help: boolean;
  /** Values by the keys of the table's rows. */
  readonly given: Readonly<Record<string, unknown>>;
}

export function flagTable(options: Readonly<Record<string, Option<unknown>>>): FlagTable {
  return new Map(
    Object.entries(options).flatMap(([key, option]) =>
      option.flag === null ? [] : [[option.flag, [key, option] as const] as const],
    ),
  );
}

/**
 * Reads flags by a table. Throws `QueueConfigurationException` for what is no flag of it and for a value that does not
 * fit. A list whose row is `repeatable` may be given in parts.
 */
export function readFlags(table: FlagTable, argv: readonly string[]): ReadFlags {
  const given: Record<string, unknown> = {};
  for (const token of tokensOf(table, argv)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      throw new QueueConfigurationException(
        `Expected flags only, came ${describe(token.value)}. Run with --help.`,
      );
    }
    if (token.name === 'help' || token.name === 'h') return { help: true, given: {} };
    const [key, option] = table.get(token.name) ?? refuseUnknown(table, token.rawName);
    const value = valueOf(option, token.name, token.value, token.inlineValue);
    given[key] = key in given ? joined(option, token.name, given[key], value) : value;
  }
  return { help: false, given };
}

function tokensOf(table: FlagTable, argv: readonly string[]) {
  const options = Object.fromEntries(
    [...table].map(([flag, [, { takes }]]) => [
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

/** The parts of a list are checked again together: each may be right, and the whole not. */
function joined(option: Option<unknown>, flag: string, before: unknown, value: unknown): unknown {
  if (!option.repeatable || !Array.isArray(before) || !Array.isArray(value)) {
    throw new QueueConfigurationException(`--${flag}: expected once, came again.`);
  }
  const all: unknown[] = [...before, ...value];
  return checkOption(option, `--${flag}`, all, all.join(','));
}

function refuseUnknown(table: FlagTable, rawName: string): never {
  const known = [...table.keys(), 'help'];
  throw new QueueConfigurationException(
    `Unknown flag ${rawName}.${didYouMean(rawName.replace(/^-+/, ''), known, '--')} Run with --help.`,
  );
}

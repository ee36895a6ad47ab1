import type * as v from 'valibot';

/** One row of the table of options: everything that is known about an option, said once. */
export interface Option<Value> {
  /** The worker's flag without its dashes, null where there is none. */
  readonly flag: string | null;
  /** The environment variable, null where there is none. */
  readonly variable: string | null;
  /** The variable of one connection, with `<NAME>` in it; null where the option is not a connection's own. */
  readonly variableOfConnection: string | null;
  /** The module's `worker` takes it too, under the row's own name. */
  readonly inModule: boolean;
  /** What the flag takes, for `--help`; null for a switch. */
  readonly takes: string | null;
  /** What a switch sets. */
  readonly switchesTo: boolean;
  /** A list that may be given in parts, by the flag again. */
  readonly repeatable: boolean;
  readonly summary: string;
  /** In words, for errors: "an integer of 1 or more". */
  readonly expected: string;
  /** What holds where nothing was given; absent where that is no value. */
  readonly fallback?: Value;
  /** What holds where nothing was given, in words. */
  readonly otherwise: string;
  /** Its value is shown nowhere. */
  readonly secret: boolean;
  /** From the text of a flag or a variable; the check follows. */
  parse(text: string): unknown;
  readonly schema: v.GenericSchema<unknown, Value>;
}

type Row<Value> = Pick<Option<Value>, 'summary' | 'expected' | 'schema'> & Partial<Option<Value>>;

export function option<Value>(row: Row<Value>): Option<Value> {
  return {
    flag: null,
    variable: null,
    variableOfConnection: null,
    inModule: false,
    takes: null,
    switchesTo: true,
    repeatable: false,
    otherwise: row.fallback === Infinity ? 'no limit' : String(row.fallback ?? ''),
    secret: false,
    parse: (text) => text,
    ...row,
  };
}

/** `Number('')` is 0 and `Number('0x10')` is 16: neither is what anybody meant. */
export function parseNumber(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}

export function parseBoolean(text: string): unknown {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : text;
}

export function parseList(text: string): unknown {
  return text.split(',').map((part) => part.trim());
}

import type { Option } from '../module/configuration/option.js';
import type { CommandRun } from './command-run.js';
import type { CommandExitCode } from './exit-code-of.js';

type CommandOptions = Readonly<Record<string, Option<unknown>>>;

/** What was given of a table of options, checked; an option that was not given is absent. */
export type Given<Options> = {
  readonly [Key in keyof Options]?: Options[Key] extends Option<infer Value> ? Value : never;
};

/** One thing that the command line can be told to do. */
export interface Command {
  /** As it is written: "stats", "failed list". */
  readonly name: string;
  /** One line of the list of commands. */
  readonly summary: string;
  /** What else `--help` says, in lines. */
  readonly remarks: readonly string[];
  readonly options: CommandOptions;
  run(given: Readonly<Record<string, unknown>>, run: CommandRun): Promise<CommandExitCode>;
}

/** A command whose `run` knows the types of its own options. */
export function command<const Options extends CommandOptions>(definition: {
  readonly name: string;
  readonly summary: string;
  readonly remarks?: readonly string[];
  readonly options: Options;
  run(given: Given<Options>, run: CommandRun): Promise<CommandExitCode>;
}): Command {
  return {
    remarks: [],
    ...definition,
    // What was read by this table has its types.
    run: (given, run) => definition.run(given as Given<Options>, run),
  };
}

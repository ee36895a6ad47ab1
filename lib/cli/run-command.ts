import { QueueException } from '../contract/index.js';
import { flagTable, readFlags } from '../module/configuration/read-flags.js';
import type { Environment } from '../module/configuration/variables.js';
import { CommandRun } from './command-run.js';
import type { Command, Given } from './command.js';
import { COMMANDS } from './commands.js';
import { Connections } from './connect/connections.js';
import { withEnvFile } from './connect/env-file.js';
import { type CommandExitCode, exitCodeOf } from './exit-code-of.js';
import { findCommand } from './find-command.js';
import { helpOf, overview } from './help.js';
import { COMMON_OPTIONS } from './options.js';
import { type CommandStream, Terminal } from './output/terminal.js';

/** The process that a command runs in, or what stands for it. */
export interface CommandProcess {
  /** The command line behind the program's name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  /** The working folder. */
  readonly folder: string;
  readonly out: CommandStream;
  readonly err: CommandStream;
  /** Aborts when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** Runs one command line. Resolves with its exit code, and never rejects. */
export async function runCommand(process: CommandProcess): Promise<CommandExitCode> {
  const terminal = new Terminal(process.out, process.err);
  try {
    const found = findCommand(COMMANDS, process.argv);
    if (found === null) return help(terminal, overview(COMMANDS));
    const { command, flags } = found;
    const { help: isAsked, given } = readFlags(flagTable({ ...command.options, ...COMMON_OPTIONS }), flags);
    if (isAsked) return help(terminal, helpOf(command));
    return await runWith(process, terminal, command, given);
  } catch (error) {
    terminal.note(textOf(error));
    return exitCodeOf(error);
  }
}

function help(terminal: Terminal, text: string): 0 {
  terminal.out.write(text);
  return 0;
}

async function runWith(
  { env, folder, stop }: CommandProcess,
  terminal: Terminal,
  command: Command,
  given: Readonly<Record<string, unknown>>,
): Promise<CommandExitCode> {
  const { config, envFile, json = false } = given as Given<typeof COMMON_OPTIONS>;
  const environment = withEnvFile(env, envFile, folder);
  const warn = (message: string): void => terminal.note(`warning: ${message}`);
  const connections = new Connections({ environment, config, folder, warn });
  try {
    return await command.run(given, new CommandRun(terminal, connections, environment, json, stop));
  } finally {
    await connections.close();
  }
}

/** What is refused says so in its message; what nobody thought of is shown with its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof QueueException)) return error.stack ?? error.message;
  const cause = error.cause instanceof QueueException ? `\n${error.cause.message}` : '';
  return `${error.message}${cause}`;
}

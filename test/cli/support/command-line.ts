import { runCommand } from '../../../lib/cli/run-command.js';

export interface CommandLineOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  /** Somebody looks at it. */
  readonly isTTY?: boolean;
  readonly stop?: AbortSignal;
  /** Told of each piece that is written. */
  readonly onWrite?: (text: string) => void;
}

export interface CommandLineResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with an environment of its own. */
export async function commandLine(
  argv: readonly string[],
  { env = {}, folder = process.cwd(), isTTY = false, stop, onWrite }: CommandLineOptions = {},
): Promise<CommandLineResult> {
  let out = '';
  let err = '';
  const stream = (keep: (text: string) => void) => ({
    isTTY,
    columns: 80,
    write(text: string) {
      keep(text);
      onWrite?.(text);
    },
  });
  const code = await runCommand({
    argv,
    env,
    folder,
    out: stream((text) => (out += text)),
    err: stream((text) => (err += text)),
    stop: stop ?? new AbortController().signal,
  });
  return { code, out, err };
}

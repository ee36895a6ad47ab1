import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const BIN = join(process.cwd(), 'dist/lib/cli/bin.js');

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command in a process of its own. */
export async function kinetisQueue(
  argv: readonly string[],
  { env = {}, folder = process.cwd() }: { env?: Readonly<Record<string, string>>; folder?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code: code ?? signal ?? '', out, err };
}

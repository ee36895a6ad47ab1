import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/**
 * A port of this machine that nobody listens at. Below those that the system hands out by itself: while a server is down, a
 * client that tries to reach it could otherwise be given its very port, connect to itself, and keep the server out.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** PostgreSQL refuses to run as root: there it runs as the user `user`. */
export function asUser(user: string, command: readonly string[]): readonly [string, ...string[]] {
  if (process.getuid?.() !== 0) return command as [string, ...string[]];
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--', ...command];
}

/** Runs a command to its end; an error of it is thrown with what it printed. */
export function runToEnd([command, ...args]: readonly [string, ...string[]]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: '/' });
  if (status !== 0)
    throw new Error(`Expected ${command} to end with 0, came ${status}: ${stdout}${stderr}`, {
      cause: error,
    });
}

/** A server's process with all that it starts. */
export class ServerChild {
  readonly child: ChildProcess;
  output = '';
  readonly #exited: Promise<unknown>;

  constructor([command, ...args]: readonly [string, ...string[]]) {
    this.child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.output = (this.output + text).slice(-8_000)));
    }
    this.#exited = once(this.child, 'exit');
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Kills the process, and those that it started, which may have process groups of their own. */
  async kill(): Promise<void> {
    if (this.ended || this.child.pid === undefined) return;
    // Once it stands still it starts no more of them: one that is left over would keep the next server out.
    this.child.kill('SIGSTOP');
    const started = childrenOf(this.child.pid);
    this.child.kill('SIGKILL');
    for (const pid of started) signalIfThere(pid, 'SIGKILL');
    await this.#exited;
  }

  /** Stops the process, and then those that it started, until `resume()`. */
  freeze(): void {
    this.#signalAll('SIGSTOP');
  }

  /** Lets everything go on that `freeze()` stopped. */
  resume(): void {
    this.#signalAll('SIGCONT');
  }

  #signalAll(signal: NodeJS.Signals): void {
    if (this.ended || this.child.pid === undefined) return;
    this.child.kill(signal);
    for (const pid of childrenOf(this.child.pid)) signalIfThere(pid, signal);
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

/** From /proc: the process ids whose parent is that process. */
function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

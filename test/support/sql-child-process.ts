import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { SqlConnectionOptions } from '../../lib/sql.js';

export interface SqlChild {
  /** Sends a command and resolves with the answer. */
  ask(command: string): Promise<unknown>;
  /** Lets the process end by itself and resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts another process on a database; it is killed when the test ends, if it is still there. */
export function startSqlChild(connection: SqlConnectionOptions): SqlChild {
  const loader = new URL('./typescript-loader.mjs', import.meta.url).href;
  const script = fileURLToPath(new URL('./sql-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', loader, script, JSON.stringify(connection)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(command) {
      child.stdin.write(`${command}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The process ended before it answered "${command}".`);
      return JSON.parse(value);
    },
    async end() {
      child.stdin.end();
      const [code] = await exited;
      return code as number | null;
    },
  };
}

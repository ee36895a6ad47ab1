import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The path of a program that a development dependency brings, to be run by this Node. */
export function binOf(packageName, bin = packageName) {
  const require = createRequire(import.meta.url);
  const manifestPath = join(root, 'node_modules', packageName, 'package.json');
  const { bin: bins } = require(manifestPath);
  return join(dirname(manifestPath), typeof bins === 'string' ? bins : bins[bin]);
}

/**
 * Runs Node with `args` and answers its exit code. With `capture` the output is answered instead of shown.
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/** Runs a program and answers `{ code, output }`; a program that a signal ended has code 1. */
export function run(command, args, { cwd = root, env = process.env, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

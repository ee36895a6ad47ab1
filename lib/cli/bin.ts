#!/usr/bin/env node
import 'reflect-metadata';
import { runCommand } from './run-command.js';

const ended = new AbortController();

/** The first signal lets a step come to its end; a second one does not wait for it. */
function onSignal(): void {
  if (ended.signal.aborted) process.exit(1);
  ended.abort();
}
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

// Whoever read the answer has seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void runCommand({
  argv: process.argv.slice(2),
  env: process.env,
  folder: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  stop: ended.signal,
}).then((code) => {
  // Not before all is written, and whatever a file of --config has left open.
  process.stdout.write('', () => process.exit(code));
});

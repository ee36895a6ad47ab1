// npm start: the sample application. Builds what is out of date, migrates the SQLite file, then runs the web application
// and a worker as two processes until one of them ends or a signal comes.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './run.mjs';

const SOURCES = [
  'lib',
  'sample',
  'migrations',
  'tsconfig.base.json',
  'tsconfig.lib.json',
  'tsconfig.build.json',
];
const BUILT = ['dist/lib/index.js', 'dist/main.js', 'dist/worker.js', 'dist/migrate.js'];

/** One Ctrl-C reaches this process twice under npm: from the terminal and from npm, which forwards it. */
const SAME_SIGNAL_MS = 500;

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isBuilt() {
  const built = BUILT.map((file) => join(root, file));
  if (!built.every((file) => existsSync(file))) return false;
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs));
  return SOURCES.every((source) => newest(join(root, source)) <= oldest);
}

/** What a script of the sample ends with when a setting does not fit: it has said so. */
const USAGE = 64;
class UsageError extends Error {}

async function step(what, ...args) {
  const { code, output } = await runNode(args, { capture: true });
  if (code === 0) return;
  process.stderr.write(output);
  throw code === USAGE ? new UsageError() : new Error(`${what} failed.`);
}

/** What the web application ends with when its port is taken: it has said so. */
const PORT_TAKEN = 98;

/** Resolves when every child has ended: with 0 when that was asked for and each ended in order, else with 1. */
class Children {
  #running = new Map();
  #stopping = null;
  #exitCode = 0;

  start(name, args, stdout) {
    if (this.#stopping !== null) return null;
    // A process group of its own: Ctrl-C in a terminal reaches this process, which forwards it once.
    const detached = process.platform !== 'win32';
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached,
      stdio: ['ignore', stdout, 'inherit'],
    });
    this.#running.set(name, child);
    child.once('error', (error) => process.stderr.write(`${error.message}\n`));
    child.once('close', (code, signal) => this.#ended(name, code, signal));
    return child;
  }

  stop(signal) {
    this.#stopping = signal;
    for (const child of this.#running.values()) child.kill(signal);
  }

  wait() {
    return new Promise((resolve) => (this.allEnded = () => resolve(this.#exitCode)));
  }

  #ended(name, code, signal) {
    this.#running.delete(name);
    const inOrder = this.#stopping !== null && (code === 0 || signal === this.#stopping);
    if (!inOrder) {
      this.#exitCode = 1;
      if (code !== PORT_TAKEN) process.stderr.write(`${name} ended with ${signal ?? code}.\n`);
      if (this.#stopping === null) this.stop('SIGTERM');
    }
    if (this.#running.size === 0) this.allEnded();
  }
}

/** Shows what the web application prints; calls back with its address once it is known. */
function onAddress(web, callback) {
  let text = '';
  let known = false;
  web.stdout.setEncoding('utf8');
  web.stdout.on('data', (chunk) => {
    if (known) return process.stdout.write(chunk);
    text += chunk;
    const [line, address] = /Listening on (http\S+)\n/.exec(text) ?? [];
    if (address === undefined) return undefined;
    known = true;
    callback(address);
    return process.stdout.write(text.replace(line, ''));
  });
}

function forwardSignals(children) {
  let lastMs = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (nowMs - lastMs > SAME_SIGNAL_MS) children.stop(signal);
      lastMs = nowMs;
    });
  }
}

/** A signal to npm ends npm and its shell, and does not reach this process: it would stay behind, with its port. */
function stopWithNpm(children) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    children.stop('SIGTERM');
  }, 500);
  timer.unref();
}

async function main() {
  if (!existsSync(join(root, 'node_modules'))) throw new Error('Nothing is installed yet: run npm ci first.');
  if (!isBuilt()) {
    process.stdout.write('Building, which takes a moment ...\n');
    await step('Building the library', 'scripts/build-lib.mjs');
    await step('Building the sample', 'scripts/build-sample.mjs');
  }
  await step('Migrating the database', 'dist/migrate.js');
  const children = new Children();
  const ended = children.wait();
  forwardSignals(children);
  stopWithNpm(children);
  const web = children.start('The web application', ['dist/main.js'], 'pipe');
  onAddress(web, (address) => {
    const outbox = process.env.SAMPLE_OUTBOX_FILE ?? 'var/outbox.log';
    process.stdout.write(
      `Open  ${address}  (health: ${address}/health/ready and ${address}/health/backlog)\n` +
        `Try   curl -d name=Ada -d email=ada@example.com ${address}/registrations\n` +
        `The worker prints a line for each job; mails go to ${outbox}. Ctrl-C ends both.\n`,
    );
    children.start('The worker', ['dist/worker.js', '--queue=mail,reports'], 'inherit');
  });
  return ended;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError;
  if (!isUsage) process.stderr.write(`${error.message}\n`);
  process.exitCode = isUsage ? USAGE : 1;
}

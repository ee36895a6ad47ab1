import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { missingLine } from './printed.mjs';
import { addMembers, compiles, keysOf, lendBetterSqlite, writePageFile } from './project.mjs';
import { Terminal } from './terminal.mjs';

/** What npm tells the scripts that it runs, and what would decide instead of the page's own .env. */
const foreign = /^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|(QUEUE|DB|REDIS)_)/;

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Somebody who does what the page says, and looks whether it prints what the page shows. */
export class Walk {
  /** Every command so far, with what it printed. */
  commands = [];
  #folder;
  #commonJs;
  #port;
  /** What stands instead of values of the page's .env. */
  #instead = {};
  #dotEnv = '';
  #terminals = new Map();
  #lastOutput = '';

  constructor(folder, { commonJs }) {
    this.#folder = folder;
    this.#commonJs = commonJs;
  }

  /** Does the steps whose conditions all hold. `instead` has other values for keys of the page's .env. */
  async follow(steps, holding, instead = {}) {
    this.#port ??= await freePort();
    this.#instead = instead;
    for (const step of steps) {
      if (!step.conditions.every((condition) => holding.includes(condition))) continue;
      try {
        await this.#do(step);
      } catch (error) {
        const what = [step.verb, step.name].filter(Boolean).join(' ');
        throw new Error(`"${step.section}", ${what}: ${error.message}`, { cause: error });
      }
    }
  }

  /** Ends what the page left running, or a failure did. */
  async end() {
    for (const name of this.#terminals.keys()) await this.#stop({ name });
  }

  #do(step) {
    switch (step.verb) {
      case 'run':
        return this.#run(step);
      case 'start':
        return this.#start(step);
      case 'stop':
        return this.#stop(step);
      case 'prints':
        return this.#prints(step);
      case 'file':
        return this.#write(step);
      default:
        return addMembers(this.#folder, step);
    }
  }

  async #run({ text }) {
    this.#lastOutput = '';
    for (const command of text.split('\n')) {
      const terminal = this.#open(command);
      if (terminal === null) continue;
      const start = performance.now();
      const code = await terminal.end();
      this.commands.at(-1).seconds = (performance.now() - start) / 1_000;
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${terminal.output.slice(-4_000)}`);
      if (compiles(command)) await lendBetterSqlite(this.#folder);
      this.#lastOutput += terminal.output;
    }
  }

  #start({ name, text }) {
    this.#terminals.set(name, this.#open(`exec ${text}`));
  }

  async #stop({ name }) {
    const code = await this.#terminals.get(name).interrupt();
    this.#terminals.delete(name);
    if (name === 'worker' && code !== 0) throw new Error(`expected a worker to end with 0, got ${code}`);
  }

  async #prints({ name, text }) {
    if (name === undefined) {
      const line = missingLine(text, this.#lastOutput);
      if (line !== null) throw new Error(`expected "${line}"; got:\n${this.#lastOutput}`);
    } else {
      const accept = (output) => missingLine(text, output) === null;
      await this.#terminals.get(name).until(`"${text}"`, accept);
    }
  }

  async #write(step) {
    await writePageFile(this.#folder, step, this.#commonJs);
    if (step.name === '.env') this.#dotEnv = step.text;
  }

  /** Types a command; null where it only went into another folder. */
  #open(typed) {
    const command = typed.replace('localhost:3000', `localhost:${this.#port}`);
    const terminal = command.startsWith('cd ') ? null : new Terminal(command, this.#place(command));
    if (terminal === null) this.#folder = join(this.#folder, command.slice(3));
    this.commands.push({ command: typed.replace(/^exec /, ''), output: () => terminal?.output ?? '' });
    return terminal;
  }

  #place(command) {
    const own = Object.entries(process.env).filter(([key]) => !foreign.test(key));
    const instead = Object.entries(this.#instead).filter(([key]) => keysOf(this.#dotEnv).includes(key));
    return {
      cwd: this.#folder,
      env: {
        ...Object.fromEntries([...own, ...instead]),
        PORT: this.#port,
        npm_config_yes: 'true',
        ...(compiles(command) ? { npm_config_ignore_scripts: 'true' } : {}),
      },
    };
  }
}

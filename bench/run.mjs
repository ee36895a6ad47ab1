// Runs a measurement by name: npm run bench -- <name> [its options]
import { existsSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { comparisons } from './compare/contestants.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && !['run.mjs', 'compare.mjs'].includes(file))
  .map((file) => file.replace('.mjs', ''));
// The name of a backend compares it with what one would take instead.
const backends = Object.keys(comparisons);
const usage = `Usage: npm run bench -- <${[...backends, ...names].join(' | ')}> [options]; --help after a name shows its options.`;

const [name, ...args] = process.argv.slice(2);
if (name === '--help') {
  console.log(usage);
} else if (![...backends, ...names].includes(name)) {
  refuse(`Expected the name of a measurement, came ${name === undefined ? 'none' : `"${name}"`}. ${usage}`);
} else if (!existsSync(new URL('../dist/lib/index.js', import.meta.url))) {
  refuse('Expected the library in dist/lib, came none: run `npm run build:lib` first.');
} else {
  const [script, ...backend] = backends.includes(name) ? ['compare.mjs', name] : [`${name}.mjs`];
  const child = spawn(process.execPath, [`${folder}${script}`, ...backend, ...args], {
    stdio: 'inherit',
  });
  // The measurement ends in order, and with it this process.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}

function refuse(message) {
  console.error(message);
  process.exitCode = 64;
}

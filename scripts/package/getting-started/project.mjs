import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../run.mjs';

const compiled = 'node_modules/better-sqlite3';

/** Writes a file of the page into the project; a CommonJS project is given it as the page says, without ".js". */
export async function writePageFile(project, { name, text }, commonJs) {
  const path = join(project, name);
  const content = commonJs ? text.replace(/( from '\.[^']+)\.js';/g, "$1';") : text;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${content}\n`);
}

/** Adds members, written as on the page, to a JSON file of the project. */
export async function addMembers(project, { name, text }) {
  const path = join(project, name);
  const members = JSON.parse(`{${text}}`);
  const before = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...before, ...members }, null, 2));
}

/** The keys of a .env file. */
export const keysOf = (text) => text.split('\n').map((line) => line.slice(0, line.indexOf('=')));

/** Where a command would compile better-sqlite3, for minutes, this repository's own build is taken instead. */
export const compiles = (command) => command.includes('better-sqlite');

/** Gives the project the better-sqlite3 that this repository compiled. */
export async function lendBetterSqlite(project) {
  const [theirs, ours] = await Promise.all(
    [project, root].map(async (place) =>
      JSON.parse(await readFile(join(place, compiled, 'package.json'), 'utf8')),
    ),
  );
  if (theirs.version !== ours.version) {
    throw new Error(`the page installs better-sqlite3 ${theirs.version}, this repository ${ours.version}`);
  }
  await cp(join(root, compiled, 'build'), join(project, compiled, 'build'), { recursive: true });
}

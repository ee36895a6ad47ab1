// node scripts/package/getting-started/check.mjs [11|12]: follows docs/getting-started.md as a check of the package
// does, and prints each command with what it printed. It takes the library as it was last built.
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../run.mjs';
import { pack } from '../pack.mjs';
import { readPage } from './read-page.mjs';
import { openServers } from './servers.mjs';
import { Walk } from './walk.mjs';

/** A stranger's first job takes fewer commands than this. */
const TOO_MANY = 10;
const SERVER_SECTION = 'A server';

function nodeCondition() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 17) ? 'node 22' : 'node 20';
}

/** Steps before, within and after the section that is followed once for each server. */
function partsOf(steps) {
  const first = steps.findIndex(({ section }) => section === SERVER_SECTION);
  const last = steps.findLastIndex(({ section }) => section === SERVER_SECTION);
  if (first === -1) throw new Error(`expected a section "${SERVER_SECTION}"`);
  return [steps.slice(0, first), steps.slice(first, last + 1), steps.slice(last + 1)];
}

async function followAll(walk, steps, nest) {
  const holding = [`nest ${nest}`, nodeCondition()];
  const [before, onServer, after] = partsOf(steps);
  const sections = [...new Set(before.map(({ section }) => section))];
  for (const section of sections) {
    await walk.follow(
      before.filter((step) => step.section === section),
      holding,
    );
    if (section === 'In memory' && walk.commands.length >= TOO_MANY) {
      throw new Error(
        `expected the first job after fewer than ${TOO_MANY} commands; it took ${walk.commands.length}`,
      );
    }
  }
  const servers = await openServers();
  try {
    for (const { name, env } of servers) await walk.follow(onServer, [...holding, name], env);
  } finally {
    await walk.end();
    for (const server of servers) await server.close();
  }
  await walk.follow(after, holding);
}

/** Follows the page in a new project of `nest`, 11 or 12, below `folder`; answers the commands and what they printed. */
export async function followPage(nest, { tarball }, folder) {
  const place = join(folder, `nest-new-${nest}`);
  await mkdir(place);
  await copyFile(tarball, join(place, basename(tarball)));
  const steps = readPage(await readFile(join(root, 'docs/getting-started.md'), 'utf8'));
  const walk = new Walk(place, { commonJs: nest === 11 });
  try {
    await followAll(walk, steps, nest);
  } finally {
    await walk.end();
  }
  return walk.commands;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const nest = Number(process.argv[2] ?? 12);
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-getting-started-'));
  try {
    const commands = await followPage(nest, await pack(folder), folder);
    for (const { command, seconds, output } of commands) {
      console.log(`$ ${command}${seconds === undefined ? '' : ` # ${seconds.toFixed(1)} s`}`);
      console.log(output().trimEnd());
    }
    console.log(`${commands.length} commands in all`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

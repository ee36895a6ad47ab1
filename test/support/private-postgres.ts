import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PrivateServer, privateServer } from './private-server.js';
import { asUser, freePort, runToEnd } from './server-child.js';
import { temporaryFolder } from './sqlite-queue.js';

const INSTALLED = '/usr/lib/postgresql';
const USER = 'postgres';

/** The folder of the newest installed PostgreSQL's programs, null where there is none. */
export function postgresPrograms(): string | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED)
    .map(Number)
    .filter((version) => existsSync(join(INSTALLED, String(version), 'bin/initdb')));
  return versions.length === 0 ? null : join(INSTALLED, String(Math.max(...versions)), 'bin');
}

/**
 * A PostgreSQL with a database `postgres` and a user of that name, who needs no password; `options` go to the server. It is not
 * started.
 */
export async function newPrivatePostgres(options: readonly string[] = []): Promise<PrivateServer> {
  const programs = postgresPrograms();
  if (programs === null)
    throw new Error(`Expected PostgreSQL's programs under ${INSTALLED}; there are none.`);
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o777);
  const files = join(folder.path, 'data');
  const port = await freePort();
  // -N: the empty cluster itself need not survive a power cut. What the server commits is synced as always.
  runToEnd(
    asUser(USER, [join(programs, 'initdb'), '-N', '-U', USER, '-A', 'trust', '-E', 'UTF8', '-D', files]),
  );
  return privateServer({
    name: 'PostgreSQL',
    port,
    command: asUser(USER, [
      join(programs, 'postgres'),
      '-D',
      files,
      `--port=${port}`,
      '--listen-addresses=127.0.0.1',
      `--unix-socket-directories=${folder.path}`,
      ...options,
    ]),
    ready: /ready to accept connections/,
    removeFiles: () => folder.remove(),
  });
}

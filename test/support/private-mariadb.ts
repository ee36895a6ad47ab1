import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from './eventually.js';
import { asUser, freePort, type PrivateServer, runToEnd, ServerChild } from './server-child.js';
import { temporaryFolder } from './sqlite-queue.js';

const SERVER = '/usr/sbin/mariadbd';
const INSTALL = '/usr/bin/mariadb-install-db';
const USER = 'mysql';

/** Whether MariaDB's programs are installed. */
export function hasMariadbPrograms(): boolean {
  return existsSync(SERVER) && existsSync(INSTALL);
}

/** A MariaDB whose user `root` needs no password. It is not started. */
export async function newPrivateMariadb(): Promise<PrivateServer> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o777);
  const files = join(folder.path, 'data');
  const port = await freePort();
  runToEnd(
    asUser(USER, [
      INSTALL,
      '--no-defaults',
      `--datadir=${files}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]),
  );
  let server: ServerChild | null = null;

  const spawned = (): ServerChild =>
    new ServerChild(
      asUser(USER, [
        SERVER,
        '--no-defaults',
        `--datadir=${files}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder.path, 'socket')}`,
        `--pid-file=${join(folder.path, 'pid')}`,
      ]),
    );
  const answers = (): boolean => /ready for connections/.test(server?.output ?? '');

  return {
    port,
    async start() {
      await waitFor(
        'the private MariaDB to take connections',
        () => {
          if (server === null || server.ended) server = spawned();
          return answers();
        },
        60_000,
      );
    },
    async kill() {
      await server?.kill();
    },
    async remove() {
      await server?.kill();
      folder.remove();
    },
  };
}

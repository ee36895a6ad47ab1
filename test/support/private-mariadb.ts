import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type PrivateServer, privateServer } from './private-server.js';
import { asUser, freePort, runToEnd } from './server-child.js';
import { temporaryFolder } from './sqlite-queue.js';

const SERVER = '/usr/sbin/mariadbd';
const INSTALL = '/usr/bin/mariadb-install-db';
const USER = 'mysql';

/** Whether MariaDB's programs are installed. */
export function hasMariadbPrograms(): boolean {
  return existsSync(SERVER) && existsSync(INSTALL);
}

/** A MariaDB whose user `root` needs no password; `options` go to the server. It is not started. */
export async function newPrivateMariadb(options: readonly string[] = []): Promise<PrivateServer> {
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
  return privateServer({
    name: 'MariaDB',
    port,
    command: asUser(USER, [
      SERVER,
      '--no-defaults',
      `--datadir=${files}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder.path, 'socket')}`,
      `--pid-file=${join(folder.path, 'pid')}`,
      ...options,
    ]),
    ready: /ready for connections/,
    removeFiles: () => folder.remove(),
  });
}

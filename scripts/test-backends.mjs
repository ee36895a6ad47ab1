import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';

/**
 * Every backend that `npm test` knows, in the order in which it names them. `server` tells how to find the one that it
 * needs: a URL in an environment variable, or else the default port on this machine. `program`: its tests start servers
 * of their own with it. A backend without either is always there.
 */
export const testBackends = [
  { name: 'memory', server: null },
  { name: 'sqlite', server: null },
  { name: 'postgres', server: { variable: 'KINETIS_TEST_POSTGRES_URL', port: 5432 } },
  { name: 'mariadb', server: { variable: 'KINETIS_TEST_MARIADB_URL', port: 3306 } },
  { name: 'redis', server: { variable: 'KINETIS_TEST_REDIS_URL', port: 6379 } },
  { name: 'redis-cluster', server: null, program: 'redis-server' },
  {
    name: 'rabbitmq',
    server: { variable: 'KINETIS_TEST_RABBITMQ_URL', port: 5672 },
    program: 'rabbitmqctl',
  },
  {
    name: 'rabbitmq-quorum',
    server: { variable: 'KINETIS_TEST_RABBITMQ_URL', port: 5672 },
    program: 'rabbitmqctl',
  },
  { name: 'sqs', server: null },
];

/** The address at which the server of a backend is looked for, or null where it needs none. */
export function addressOf({ server }, env = process.env) {
  if (server === null) return null;
  const given = env[server.variable];
  if (given === undefined || given === '') return { host: '127.0.0.1', port: server.port };
  const { hostname, port } = new URL(given.split(',')[0]);
  return { host: hostname, port: Number(port) || server.port };
}

/** Which backends can be tested now, and for the others what was looked for. */
export async function findBackends(backends = testBackends, env = process.env) {
  const found = await Promise.all(
    backends.map(async (backend) => {
      if (backend.program !== undefined && !isInstalled(backend.program, env)) {
        return { name: backend.name, missing: `there is no ${backend.program} on the PATH; install it` };
      }
      const address = addressOf(backend, env);
      if (address === null || (await answers(address))) return { name: backend.name, missing: null };
      const { variable } = backend.server;
      return {
        name: backend.name,
        missing: `nothing answers at ${address.host}:${address.port}; start its server or set ${variable}`,
      };
    }),
  );
  return {
    present: found.filter(({ missing }) => missing === null).map(({ name }) => name),
    absent: found.filter(({ missing }) => missing !== null),
  };
}

function isInstalled(program, { PATH = '' }) {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function answers({ host, port }, timeoutMs = 2_000) {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

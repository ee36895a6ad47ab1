import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PrivateServer, privateServer } from './private-server.js';
import { freePorts } from './private-redis.js';
import { ServerChild } from './server-child.js';
import { temporaryFolder } from './sqlite-queue.js';
import type { Control } from './rabbitmq-servers.js';

/** The scripts themselves: the commands on the PATH take root to another user, who has no way into the folder. */
const BIN = process.env['KINETIS_TEST_RABBITMQ_BIN'] ?? '/usr/lib/rabbitmq/bin';

export interface PrivateRabbitmq extends PrivateServer {
  readonly url: URL;
  readonly control: Control;
}

interface Ports {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/**
 * A RabbitMQ of a test's own: node, ports, port mapper, cookie and folder are its own. `settings` are lines of
 * rabbitmq.conf.
 */
export async function newPrivateRabbitmq(settings: readonly string[] = []): Promise<PrivateRabbitmq> {
  const [amqp = 0, distribution = 0, epmd = 0] = await freePorts(3);
  const folder = temporaryFolder();
  const environment = environmentOf(folder.path, { amqp, distribution, epmd });
  writeFileSync(
    environment['RABBITMQ_CONFIG_FILE'],
    [`listeners.tcp.1 = 127.0.0.1:${amqp}`, 'loopback_users = none', ...settings, ''].join('\n'),
  );
  writeFileSync(environment['RABBITMQ_ENABLED_PLUGINS_FILE'], '[].');
  mkdirSync(environment['RABBITMQ_LOG_BASE']);
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const mapper = new ServerChild(['epmd', '-address', '127.0.0.1', '-port', String(epmd)]);
  const server = privateServer({
    name: 'RabbitMQ',
    port: amqp,
    command: ['env', ...assignments, join(BIN, 'rabbitmq-server')],
    ready: /Server startup complete/,
    removeFiles: () => folder.remove(),
  });
  return {
    ...server,
    url: new URL(`amqp://guest:guest@127.0.0.1:${amqp}`),
    async control(...args) {
      const env = { ...process.env, ...environment };
      return (await promisify(execFile)(join(BIN, 'rabbitmqctl'), ['-q', ...args], { env })).stdout;
    },
    async remove() {
      await server.remove();
      await mapper.kill();
    },
  };
}

function environmentOf(folder: string, { distribution, epmd }: Ports) {
  return {
    HOME: folder,
    RABBITMQ_NODENAME: `kinetis-test-${randomBytes(4).toString('hex')}@localhost`,
    RABBITMQ_DIST_PORT: String(distribution),
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // Else what this machine configures its own server with.
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    // So that the process that is started is the server itself, not a script around it; it must not read then.
    RABBITMQ_ALLOW_INPUT: '1',
    RABBITMQ_SERVER_START_ARGS: '-noinput',
    ERL_FLAGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  } as const;
}

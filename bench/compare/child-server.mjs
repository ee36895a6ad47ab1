// Servers that a measurement starts for itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port, withinMs) {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const socket = connect({ host: '127.0.0.1', port });
    const open = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      pause(500, false),
    ]);
    socket.destroy();
    if (open) return true;
    await pause(20);
  }
  return false;
}

/** Starts a server that listens on a port of its own; answers the port and how to end it. */
export async function startServer(command, argsOf) {
  const port = await freePort();
  const child = spawn(command, argsOf(port), { stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  if (!(await Promise.race([answers(port, 10_000), failed]))) throw new Error(`${command} did not start`);
  failed.catch(() => {});
  return {
    port,
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

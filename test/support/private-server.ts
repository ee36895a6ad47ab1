import { waitFor } from './eventually.js';
import { ServerChild } from './server-child.js';

/** A database server of a test's own, on a port of its own; its files stay when it is killed. */
export interface PrivateServer {
  readonly port: number;
  /** Starts it, and resolves when it takes connections. */
  start(): Promise<void>;
  /** Ends all of its processes by SIGKILL, in the middle of whatever they do. */
  kill(): Promise<void>;
  /** Stops all of its processes where they are; its connections stay open, and nobody answers. */
  freeze(): void;
  /** Lets them go on. */
  resume(): void;
  /** The process that was started last, null before the first start. */
  readonly pid: number | null;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

export interface PrivateServerOptions {
  readonly name: string;
  readonly port: number;
  readonly command: readonly [string, ...string[]];
  /** What the server prints when it takes connections. */
  readonly ready: RegExp;
  readonly removeFiles: () => void;
}

const START_DEADLINE_MS = 60_000;

/** The server that a command starts. */
export function privateServer(options: PrivateServerOptions): PrivateServer {
  const { name, port, command, ready, removeFiles } = options;
  let server: ServerChild | null = null;
  return {
    port,
    async start() {
      try {
        await waitFor(
          `the private ${name} to take connections`,
          () => {
            // Until the last process of a killed PostgreSQL is gone the new one refuses to start.
            if (server === null || server.ended) server = new ServerChild(command);
            return ready.test(server.output);
          },
          START_DEADLINE_MS,
        );
      } catch (error) {
        throw new Error(`${String(error)} It printed: ${server?.output}`, { cause: error });
      }
    },
    async kill() {
      await server?.kill();
    },
    freeze() {
      server?.freeze();
    },
    resume() {
      server?.resume();
    },
    get pid() {
      return server?.child.pid ?? null;
    },
    async remove() {
      await server?.kill();
      removeFiles();
    },
  };
}

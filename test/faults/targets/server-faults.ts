import type { FaultServer } from '../target.js';

/** A server of a trial's own, be it one process or many. */
interface OwnServer {
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  resume(): void;
}

export function serverFaults(server: OwnServer): FaultServer {
  return {
    kill: () => server.kill(),
    restart: () => server.start(),
    stop: () => server.freeze(),
    continue: () => server.resume(),
  };
}

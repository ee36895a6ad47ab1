import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkerStatus } from './worker-status.js';

/** How many running jobs an answer lists; `running` counts all. */
const MOST_JOBS = 100;

export interface WorkerHealthServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** All addresses by default: a container's probe does not come from inside. */
  readonly host?: string;
  /** The loop is live as long as it turned within this; the connection's lease length, in seconds. */
  readonly leaseSeconds: number;
}

/**
 * Answers probes of a worker process: `GET /live` is 200 while the loop turns, `GET /ready` is 200 while the backend
 * answers and the worker is not stopping; else 503. It lists what runs, by class, id and queue; nothing of a job's
 * arguments or of the configuration is shown.
 */
export class WorkerHealthServer {
  readonly #worker: { readonly status: WorkerStatus };
  readonly #options: WorkerHealthServerOptions;
  readonly #server: Server;

  constructor(worker: { readonly status: WorkerStatus }, options: WorkerHealthServerOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Resolves with the port. Rejects where it cannot be had. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port, this.#options.host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends open connections too: a probe that keeps one alive must not keep the process. A second call does nothing. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?', 1)[0];
    const { status } = this.#worker;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      send(response, 405, { status: 'method not allowed' });
    } else if (path === '/live') {
      // A look for work may be set longer than a lease; a loop in one is not stuck.
      const longestTurnSeconds = Math.max(this.#options.leaseSeconds, 2 * status.pollTimeoutSeconds);
      const live = status.sinceLastTurnMs <= longestTurnSeconds * 1_000;
      const sinceLastTurnSeconds = Math.round(status.sinceLastTurnMs / 1_000);
      send(response, live ? 200 : 503, { status: live ? 'up' : 'down', sinceLastTurnSeconds });
    } else if (path === '/ready') {
      const { reached, stopping, running, jobs } = status;
      const ready = reached && !stopping;
      const longest = jobs.slice(0, MOST_JOBS);
      const about = { reached, stopping, running, jobs: longest };
      send(response, ready ? 200 : 503, { status: ready ? 'up' : 'down', ...about });
    } else {
      send(response, 404, { status: 'not found' });
    }
  }
}

function send(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}

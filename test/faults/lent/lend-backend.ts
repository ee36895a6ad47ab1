import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueBackend, Receipt, ReservedItem, Settlement } from '../../../lib/contract/index.js';
import { newTestName } from '../targets/test-name.js';
import type { LentCall } from './calls.js';
import { readFrames, writeFrame } from './frames.js';

export interface Lender {
  /** Where its clients connect. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Answers other processes in the name of a backend of this one, so that workers can be killed and frozen on a backend that
 * has no server.
 */
export async function lendBackend(backend: QueueBackend): Promise<Lender> {
  const path = join(tmpdir(), `${newTestName()}.sock`);
  const calls = new Calls(backend);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that was killed resets its connection.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    readFrames(socket, (frame) => void answer(socket, frame as LentCall, calls));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return {
    path,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(socket: Socket, { number, method, args }: LentCall, calls: Calls): Promise<void> {
  const result = await calls[method](...(args as [never, never]));
  writeFrame(socket, { number, answer: result });
}

class Calls {
  readonly #receipts = new Map<number, Receipt>();
  #last = 0;

  constructor(private readonly backend: QueueBackend) {}

  async about(): Promise<unknown> {
    const { capabilities, leaseSeconds } = this.backend;
    return { capabilities, leaseSeconds };
  }

  store(jobs: Parameters<QueueBackend['store']>[0]): Promise<unknown> {
    return this.backend.store(jobs);
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await this.backend.reserve(queues, limit);
    return items.map((item) => {
      this.#last += 1;
      this.#receipts.set(this.#last, item.receipt);
      return { ...item, receipt: this.#last };
    });
  }

  settle(settlements: readonly Settlement[]): Promise<unknown> {
    const own = settlements.map((settlement) => ({
      ...settlement,
      receipt: this.#receipts.get(settlement.receipt as number) as Receipt,
    }));
    return this.backend.settle(own);
  }

  count(queue: string): Promise<unknown> {
    return this.backend.count(queue);
  }
}

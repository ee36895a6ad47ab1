import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  type Capabilities,
  ConnectionFailed,
  type QueueBackend,
  type ReservedItem,
  type WaitOptions,
} from '@kinetis/nestjs-queue';
import type { LentAnswer, LentCalls } from '../lent/calls.js';
import { readFrames, writeFrame } from '../lent/frames.js';

/** How late a worker finds a job: its lender tells nobody of what is pushed. */
const PAUSE_MS = 20;

/** What goes over the wire of a lent backend: the work of pushers and workers, and nothing of its administration. */
const WITHOUT_ADMINISTRATION = {
  clear: false,
  failedJobs: 'no',
  browse: false,
  pause: false,
  listQueues: false,
} satisfies Partial<Capabilities>;

/** A backend of another process, which lends it at `path`. */
export function lent({ path }: { readonly path: string }): BackendFactory {
  return async () => {
    const wire = new LentWire(connect(path));
    const { capabilities, leaseSeconds } = await wire.call('about');
    return new LentBackend(wire, { ...capabilities, ...WITHOUT_ADMINISTRATION }, leaseSeconds ?? null);
  };
}

class LentBackend implements QueueBackend {
  readonly driver = 'lent';
  readonly keepsFailedElsewhere = true;

  constructor(
    private readonly wire: LentWire,
    readonly capabilities: Capabilities,
    readonly leaseSeconds: number | null,
  ) {}

  async connect(): Promise<void> {
    await this.wire.call('about');
  }

  store(jobs: Parameters<QueueBackend['store']>[0]): ReturnType<QueueBackend['store']> {
    return this.wire.call('store', jobs);
  }

  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return this.wire.call('reserve', queues, limit);
  }

  async waitForWork(_queues: readonly string[], { timeoutMs, signal }: WaitOptions): Promise<[]> {
    await sleep(Math.min(timeoutMs, PAUSE_MS), null, { signal }).catch(() => undefined);
    return [];
  }

  settle(settlements: Parameters<QueueBackend['settle']>[0]): ReturnType<QueueBackend['settle']> {
    return this.wire.call('settle', settlements);
  }

  count(queue: string): ReturnType<QueueBackend['count']> {
    return this.wire.call('count', queue);
  }

  async close(): Promise<void> {
    await this.wire.close();
  }
}

interface Asked {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

class LentWire {
  readonly #asked = new Map<number, Asked>();
  #last = 0;

  constructor(private readonly socket: Socket) {
    readFrames(socket, (frame) => {
      const { number, answer } = frame as LentAnswer;
      this.#asked.get(number)?.resolve(answer as never);
      this.#asked.delete(number);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const error = new ConnectionFailed('The lender of this backend is gone.');
      for (const { reject } of this.#asked.values()) reject(error);
    });
  }

  call<Method extends keyof LentCalls>(
    method: Method,
    ...args: Parameters<LentCalls[Method]>
  ): Promise<Awaited<ReturnType<LentCalls[Method]>>> {
    this.#last += 1;
    const number = this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(number, { resolve, reject });
      writeFrame(this.socket, { number, method, args });
    });
  }

  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    this.socket.end();
    await once(this.socket, 'close');
  }
}

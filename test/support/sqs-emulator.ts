import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A message as the emulator keeps it. */
export interface EmulatedMessage {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes: {
    readonly [name: string]: { readonly DataType: string; readonly StringValue?: string };
  };
  readonly approximateReceiveCount: number;
}

/** What a queue of the emulator holds. */
export interface EmulatedQueue {
  readonly ready: readonly EmulatedMessage[];
  readonly delayed: readonly EmulatedMessage[];
  readonly inflight: readonly { readonly message: EmulatedMessage; readonly visibilityDeadline: number }[];
}

interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: unknown;
}

/** An emulator of SQS on a free port, in a thread of its own, with a clock that can be moved. */
export class SqsEmulator {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(
    private readonly thread: Worker,
    readonly port: number,
  ) {
    thread.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  static async start(): Promise<SqsEmulator> {
    const thread = new Worker(new URL('./sqs-emulator-thread.mjs', import.meta.url));
    const [{ answer }] = (await once(thread, 'message')) as [Answer];
    return new SqsEmulator(thread, answer as number);
  }

  /** Moves the emulator's time forward. */
  async advance(seconds: number): Promise<void> {
    await this.#ask('advance', seconds);
  }

  /** Creates a standard queue, unless it is there. */
  async createQueue(name: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#ask('createQueue', name, attributes);
  }

  async deleteQueue(name: string): Promise<void> {
    await this.#ask('deleteQueue', name);
  }

  /** Where the messages of a queue are now; null where there is no such queue. */
  async inspect(name: string): Promise<EmulatedQueue | null> {
    return (await this.#ask('inspect', name)) as EmulatedQueue | null;
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }

  #ask(operation: string, ...args: unknown[]): Promise<unknown> {
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ answer, error }) => {
        if (error === undefined) resolve(answer);
        else reject(error);
      });
      this.thread.postMessage({ id, operation, args }, []);
    });
  }
}

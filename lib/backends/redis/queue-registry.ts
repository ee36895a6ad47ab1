import { registryKey } from './queue-keys.js';
import type { Scripts } from './scripts.js';
import type { Wire } from './wire.js';

/** How long a name that was written is taken to be there, so that a server that was emptied learns it again. */
const RENEWED_AFTER_MS = 60_000;

/** The names of the queues under a prefix. A name is written before the first push, and filtered when it is read. */
export class QueueRegistry {
  private readonly written = new Map<string, number>();

  constructor(
    private readonly wire: Wire,
    private readonly scripts: Scripts,
    private readonly prefix: string,
  ) {}

  /** Resolves when these names are there. */
  async add(queues: readonly string[]): Promise<void> {
    const now = performance.now();
    const fresh = queues.filter((queue) => (this.written.get(queue) ?? -Infinity) < now - RENEWED_AFTER_MS);
    if (fresh.length === 0) return;
    await this.wire.send('sadd', [registryKey(this.prefix), ...fresh]);
    for (const queue of fresh) this.written.set(queue, now);
  }

  /** Every name that was ever written, sorted. */
  async names(): Promise<readonly string[]> {
    const names = (await this.wire.send('smembers', [registryKey(this.prefix)])) as Buffer[];
    return names.map(String).sort();
  }

  /** Those that hold ready, delayed or reserved jobs. */
  async holdingJobs(): Promise<readonly string[]> {
    const names = await this.names();
    const holds = await Promise.all(names.map((queue) => this.scripts.run('holdsJobs', queue)));
    return names.filter((_, index) => holds[index] === 1);
  }
}

import { HintPace } from '../../contract/hint-pace.js';
import type { ListenHandle } from './executor/pooled/open-pooled.js';
import type { SqlGate } from './sql-gate.js';
import type { WakeUp } from '../../contract/wake-up.js';

export interface HintOptions {
  readonly gate: SqlGate;
  readonly wakeUp: WakeUp;
  /** False where connections go through a pooler that passes no hints on. */
  readonly enabled: boolean;
}

/**
 * Tells waiting workers of other processes about work, and hears of theirs, where the database passes that on. The first
 * hint of a queue goes at once; those of the next moments become one, for PostgreSQL lets one transaction with a hint commit
 * at a time. A hint may be lost, and then costs the pause.
 */
export class Hints {
  // NOTIFY makes commits wait for each other.
  private readonly pace = new HintPace((queue) => this.sendNow(queue), { leastMs: 10 });
  private listening: Promise<ListenHandle | null> | undefined;
  private enabled: boolean;

  constructor(private readonly options: HintOptions) {
    this.enabled = options.enabled;
  }

  /** Call when somebody waits for work. Listens from the first call on; nobody waits for that. */
  listen(): void {
    if (this.enabled) this.listening ??= this.startListening();
  }

  /** Call after work was stored. */
  tell(queue: string): void {
    if (this.enabled) this.pace.tell(queue);
  }

  /** Those of the queues whose hint the caller sends by itself, now, with what it stores. */
  claim(queues: Iterable<string>): ReadonlySet<string> {
    return this.pace.claim(this.enabled ? queues : []);
  }

  /** Sends what is due, and stops to listen. */
  async close(): Promise<void> {
    await this.pace.close();
    await (await this.listening)?.close();
  }

  private async sendNow(queue: string): Promise<void> {
    const { gate } = this.options;
    const { hint } = (await gate.database()).dialect;
    if (hint === null) this.enabled = false;
    else await gate.session((session) => hint.send(session, queue));
  }

  private async startListening(): Promise<ListenHandle | null> {
    const { gate, wakeUp } = this.options;
    try {
      const { dialect, listen } = await gate.database();
      if (listen === null || dialect.hint === null) return null;
      return listen({
        channel: dialect.hint.channel,
        onMessage: (queue) => wakeUp.notify(queue),
        // What was told before may have been missed.
        onListening: () => wakeUp.notifyAll(),
      });
    } catch {
      // The database cannot be reached: the next wait tries again.
      this.listening = undefined;
      return null;
    }
  }
}

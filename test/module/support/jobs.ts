import { Injectable } from '@nestjs/common';
import { Handle, Job, JobDelivery } from '../../../lib/index.js';

/** What jobs did, and who waits for it. */
@Injectable()
export class Journal {
  readonly lines: string[] = [];
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  write(line: string): void {
    this.lines.push(line);
    for (const waiter of this.#waiting) if (this.lines.length >= waiter.count) waiter.resolve();
  }

  /** Resolves once there are so many lines; rejects after five seconds, saying what there was. */
  async has(count: number): Promise<void> {
    if (this.lines.length >= count) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`Waited 5 s for ${count} lines, came: ${this.lines.join('; ') || 'none'}.`));
      }, 5_000);
      this.#waiting.push({
        count,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}

/** A gate that a test opens. */
@Injectable()
export class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

@Job()
export class Note {
  constructor(readonly text: string) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(this.text);
  }
}

@Job({ queue: 'mail' })
export class Mail {
  constructor(readonly text: string) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(this.text);
  }
}

/** Runs until the gate opens, or until its delivery is aborted. */
@Job({ queue: 'slow' })
export class Slow {
  constructor(readonly text: string) {}

  @Handle()
  async handle(journal: Journal, gate: Gate, delivery: JobDelivery): Promise<void> {
    journal.write(`${this.text} began`);
    const aborted = new Promise<void>((resolve) =>
      delivery.signal.addEventListener('abort', () => resolve()),
    );
    await Promise.race([gate.opened, aborted]);
    journal.write(delivery.signal.aborted ? `${this.text} aborted` : `${this.text} ended`);
  }
}

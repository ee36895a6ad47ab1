/** How long a look at what is due counts, in milliseconds: a job that falls due meanwhile is brought back that much later. */
const LOOK_LASTS_MS = 50;

/** Queues that a moment ago gave all that was asked for: whoever goes on with one need not look first. */
export class FullQueues {
  private readonly lookedAt = new Map<string, number>();

  /** For one queue; several have an order, of which what is due is a part. */
  has([queue, ...others]: readonly string[]): boolean {
    if (queue === undefined || others.length > 0) return false;
    return performance.now() - (this.lookedAt.get(queue) ?? -Infinity) < LOOK_LASTS_MS;
  }

  /** It was looked at what is due there. */
  looked(queues: readonly string[]): void {
    const [queue, ...others] = queues;
    if (queue !== undefined && others.length === 0) this.lookedAt.set(queue, performance.now());
  }

  reserved(queues: readonly string[], isFull: boolean): void {
    if (!isFull) for (const queue of queues) this.lookedAt.delete(queue);
  }
}

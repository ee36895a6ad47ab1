import type { ServerRefused } from '../../contract/index.js';

/** For as long a queue that refused is not asked again while others answer: each look is a request, and paid for. */
const REST_SECONDS = 5;

interface Refusing {
  readonly error: ServerRefused;
  readonly restsUntilMs: number;
  readonly told: boolean;
}

/** Queues that refused when they were last asked, most often because they are missing. */
export class RefusingQueues {
  private readonly refusing = new Map<string, Refusing>();

  constructor(
    private readonly warn: (message: string) => void,
    private readonly now: () => number,
  ) {}

  refused(queue: string, error: ServerRefused): void {
    const told = this.refusing.get(queue)?.told ?? false;
    this.refusing.set(queue, { error, restsUntilMs: this.now() + REST_SECONDS * 1_000, told });
  }

  answered(queue: string): void {
    this.refusing.delete(queue);
  }

  /** Those to look into now; all of them where each would rest. */
  toAsk(queues: readonly string[]): readonly string[] {
    const nowMs = this.now();
    return orAll(queues, (queue) => (this.refusing.get(queue)?.restsUntilMs ?? nowMs) <= nowMs);
  }

  /** Those that a wait for work can begin with; all of them where each has refused. */
  toWaitOn(queues: readonly string[]): readonly string[] {
    return orAll(queues, (queue) => !this.refusing.has(queue));
  }

  /** Warns of each that refuses, once until it answers. For when others answer: else the refusal itself is thrown. */
  tell(queues: readonly string[]): void {
    for (const queue of queues) {
      const refusing = this.refusing.get(queue);
      if (refusing === undefined || refusing.told) continue;
      this.refusing.set(queue, { ...refusing, told: true });
      this.warn(
        `${refusing.error.message} The other queues are worked on, and this one is asked again every ${REST_SECONDS} s. ` +
          'Where it is not wanted, take it from --queue.',
      );
    }
  }
}

function orAll(queues: readonly string[], isWanted: (queue: string) => boolean): readonly string[] {
  const wanted = queues.filter(isWanted);
  return wanted.length > 0 ? wanted : queues;
}

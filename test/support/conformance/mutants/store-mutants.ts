import {
  type NewJob,
  type QueueCounts,
  type ReservedItem,
  ServerRefused,
  type StoreOutcome,
} from '../../../../lib/contract/index.js';
import type { Settlement, SettleOutcome } from '../../../../lib/contract/index.js';
import { ForwardingBackend } from './forwarding-backend.js';

/** Takes a job that falls due out of where it waits, and never puts it among the ready ones. */
export class DropsDueJobs extends ForwardingBackend {
  readonly #delayed = new Set<string>();

  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    for (const job of jobs) if (job.delaySeconds > 0) this.#delayed.add(job.body);
    return super.store(jobs);
  }

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    const kept: ReservedItem[] = [];
    for (const item of items) {
      if (this.#delayed.has(String(item.body))) await this.discard(item);
      else kept.push(item);
    }
    return kept;
  }
}

/** Keeps time in whole seconds, and cuts what is left over. */
export class RoundsDelaysDown extends ForwardingBackend {
  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return super.store(jobs.map((job) => ({ ...job, delaySeconds: Math.floor(job.delaySeconds) })));
  }
}

/** Takes two jobs with the same class and arguments for one. */
export class MergesIdenticalJobs extends ForwardingBackend {
  readonly #seen = new Set<string>();

  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const outcomes: StoreOutcome[] = [];
    for (const job of jobs) {
      const { class: name, args } = JSON.parse(job.body) as { class: string; args: unknown };
      const key = JSON.stringify([job.queue, name, args]);
      if (this.#seen.has(key)) outcomes.push({ status: 'applied' });
      else outcomes.push(...(await super.store([job])));
      this.#seen.add(key);
    }
    return outcomes;
  }
}

/** Stores a list from its end. */
export class StoresListsBackwards extends ForwardingBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return (await super.store(jobs.toReversed())).toReversed();
  }
}

/** Stores entry by entry until one is refused: what came before it stays. */
export class StoresUntilRefused extends ForwardingBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const bad = jobs.findIndex(({ header }) => typeof header?.attempts !== 'number');
    if (bad === -1) return super.store(jobs);
    const stored = await super.store(jobs.slice(0, bad));
    const error = new ServerRefused('attempts: not null.');
    return [...stored, ...jobs.slice(bad).map((): StoreOutcome => ({ status: 'refused', error }))];
  }
}

/** Refuses the entries of one queue, and stores those of the others. */
export class StoresQueueByQueue extends ForwardingBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const bad = new Set(
      jobs.filter(({ header }) => typeof header?.attempts !== 'number').map(({ queue }) => queue),
    );
    const stored = [...(await super.store(jobs.filter(({ queue }) => !bad.has(queue))))];
    const error = new ServerRefused('attempts: not null.');
    return jobs.map(({ queue }): StoreOutcome =>
      bad.has(queue) ? { status: 'refused', error } : (stored.shift() as StoreOutcome),
    );
  }
}

/** Answers for a whole list what was true of its last entry only: the others are there. */
export class DeniesWhatItStored extends ForwardingBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const good = jobs.filter(({ header }) => typeof header?.attempts === 'number');
    const stored = await super.store(good);
    if (good.length === jobs.length) return stored;
    const error = new ServerRefused('attempts: not null.');
    return jobs.map(() => ({ status: 'refused', error }));
  }
}

/** Cuts a body at its first NUL escape, as a C string would. */
export class CutsAtNul extends ForwardingBackend {
  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return super.store(jobs.map((job) => ({ ...job, body: job.body.replaceAll('\\u0000', '') })));
  }
}

/** Parses and rewrites the body, as an envelope that lives in a JSON column would. */
export class RewritesBodies extends ForwardingBackend {
  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return super.store(jobs.map((job) => ({ ...job, body: rewritten(job.body) })));
  }
}

function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

/** Gives every job the connection's lease. */
export class ForgetsOwnLeases extends ForwardingBackend {
  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return super.store(
      jobs.map((job) =>
        typeof job.header?.leaseSeconds === 'number' && job.header.leaseSeconds > 0
          ? { ...job, header: { ...job.header, leaseSeconds: null } }
          : job,
      ),
    );
  }
}

/** Compares names as a case-insensitive collation does. */
export class MixesUpCase extends ForwardingBackend {
  override store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return super.store(jobs.map((job) => ({ ...job, queue: job.queue.toLowerCase() })));
  }

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const names = [...new Set(queues.map((queue) => queue.toLowerCase()))];
    const items = await super.reserve(names, limit);
    const asked = (name: string): string => queues.find((queue) => queue.toLowerCase() === name) ?? name;
    return items.map((item) => ({ ...item, queue: asked(item.queue) }));
  }

  override count(queue: string): Promise<QueueCounts> {
    return super.count(queue.toLowerCase());
  }
}

/** Clears whatever the queue holds, a worker's jobs too. */
export class ClearTakesReservations extends ForwardingBackend {
  readonly #held = new Map<string, Set<unknown>>();

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    for (const { queue, receipt } of items) {
      const held = this.#held.get(queue) ?? new Set();
      this.#held.set(queue, held.add(receipt));
    }
    return items;
  }

  override async clear(queue: string): Promise<number> {
    const held = [...(this.#held.get(queue) ?? [])];
    const outcomes = await this.inner.settle(
      held.map((receipt) => ({ operation: 'ack', receipt, followUps: [] })),
    );
    const taken = outcomes.filter(({ status }) => status === 'applied').length;
    return taken + (await this.inner.clear(queue));
  }
}

/** Counts by what is stored: an expired reservation is a reserved job until somebody reclaims it. */
export class CountsByStoredState extends ForwardingBackend {
  readonly #held = new Map<unknown, string>();

  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    for (const item of items) this.#held.set(item.receipt, item.queue);
    return items;
  }

  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    for (const { operation, receipt } of settlements) if (operation !== 'extend') this.#held.delete(receipt);
    return super.settle(settlements);
  }

  override async count(queue: string): Promise<QueueCounts> {
    const counts = await super.count(queue);
    const held = [...this.#held.values()].filter((name) => name === queue).length;
    const expired = held - (counts.reserved ?? 0);
    return { ...counts, ready: counts.ready - expired, reserved: held };
  }
}

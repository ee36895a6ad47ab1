import { setTimeout as pause } from 'node:timers/promises';
import {
  type BrowsingBackend,
  type QueueBackend,
  QueueServerException,
  type ReservedItem,
  type Settlement,
} from '../../lib/contract/index.js';
import { newJob } from './sql-files.js';

const QUEUES = ['first', 'second', 'third'] as const;
const MOST_WAITING = 2_000;
const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;

function oneOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

/** What a reserver does with a delivery. An abandoned one is left to its lease. */
type Fate = 'ack' | 'fail' | 'release' | 'postpone' | 'defer' | 'renewed ack' | 'abandon';
const FATES: readonly Fate[] = [
  ...Array.from({ length: 14 }, () => 'ack' as const),
  ...(['fail', 'release', 'postpone', 'defer', 'renewed ack', 'abandon'] as const),
];

function settlementsOf(fate: Fate, receipt: unknown): readonly Settlement[] {
  const back = { receipt, changes: {} };
  switch (fate) {
    case 'ack':
      return [{ operation: 'ack', receipt, followUps: [] }];
    case 'fail':
      return [{ operation: 'fail', receipt, failure }];
    case 'release':
      return [{ operation: 'release', ...back, delaySeconds: 0 }];
    case 'postpone':
      return [{ operation: 'release', ...back, delaySeconds: 0.2 }];
    case 'defer':
      return [{ operation: 'defer', ...back, delaySeconds: 0.1 }];
    case 'renewed ack':
      return [
        { operation: 'extend', receipt, seconds: 5 },
        { operation: 'ack', receipt, followUps: [] },
      ];
    case 'abandon':
      return [];
  }
}

/** Pushers, reservers and promoters that are in each other's way, and the account of what became of every job. */
export class ServerLoad {
  /** Numbers of the jobs that were accepted, and how often each was ended for good. */
  readonly ended = new Map<number, number>();
  /** Errors that somebody saw. */
  readonly errors: unknown[] = [];
  /** `refused` was certainly not applied: no connection or no lock came in time. */
  readonly tally = {
    deliveries: 0,
    acked: 0,
    failed: 0,
    returned: 0,
    abandoned: 0,
    stale: 0,
    refused: 0,
    promoted: 0,
  };
  #next = 0;
  #pushing = true;
  #idle = false;

  get pushed(): number {
    return this.ended.size;
  }

  /** How many accepted jobs have not ended. */
  get open(): number {
    return this.pushed - this.tally.acked - this.tally.failed;
  }

  stopPushing(): void {
    this.#pushing = false;
  }

  /** Ends the reservers and promoters. */
  stop(): void {
    this.#idle = true;
  }

  async push(backend: QueueBackend): Promise<void> {
    while (this.#pushing) {
      if (this.open > MOST_WAITING) {
        await pause(2);
        continue;
      }
      const numbers = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => (this.#next += 1));
      await this.#try(async () => {
        const outcomes = await backend.store(numbers.map((n) => jobOf(n)));
        for (const [index, outcome] of outcomes.entries()) {
          // A reserver may have ended it before its push was answered.
          const n = numbers[index] ?? 0;
          if (outcome.status === 'applied') this.ended.set(n, this.ended.get(n) ?? 0);
          else this.#notApplied(outcome);
        }
      });
    }
  }

  async reserve(backend: QueueBackend): Promise<void> {
    while (!this.#idle) {
      await this.#try(async () => {
        const items = await backend.reserve(QUEUES.toReversed(), 1 + Math.floor(Math.random() * 20));
        if (items.length === 0) await pause(2);
        else await this.#settle(backend, items);
      });
    }
  }

  /** Makes delayed jobs ready before their time, beside the reserves that bring back what is due. */
  async promote(backend: BrowsingBackend): Promise<void> {
    while (!this.#idle) {
      await this.#try(async () => {
        const queue = oneOf(QUEUES);
        const { jobs } = await backend.listJobs({ queue, state: 'delayed', limit: 20 });
        for (const { id } of jobs) if (await backend.promoteJob(queue, id)) this.tally.promoted += 1;
        if (jobs.length === 0) await pause(2);
      });
    }
  }

  /** Settles what was reserved in one call, so that one step holds rows of every kind. */
  async #settle(backend: QueueBackend, items: readonly ReservedItem[]): Promise<void> {
    this.tally.deliveries += items.length;
    const planned = items.flatMap((item) => {
      const fate = oneOf(FATES);
      if (fate === 'abandon') this.tally.abandoned += 1;
      const n = numberOf(item);
      return settlementsOf(fate, item.receipt).map((settlement) => ({ n, settlement }));
    });
    const outcomes = await backend.settle(planned.map(({ settlement }) => settlement));
    for (const [index, { n, settlement }] of planned.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'stale') this.tally.stale += 1;
      else if (outcome?.status === 'applied') this.#applied(n, settlement);
      else this.#notApplied(outcome);
    }
  }

  #applied(n: number, { operation }: Settlement): void {
    if (operation === 'release' || operation === 'defer') this.tally.returned += 1;
    if (operation !== 'ack' && operation !== 'fail') return;
    this.tally[operation === 'ack' ? 'acked' : 'failed'] += 1;
    this.ended.set(n, (this.ended.get(n) ?? 0) + 1);
  }

  async #try(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof QueueServerException)) throw error;
      if (error.code === 'QUEUE_OUTCOME_UNKNOWN') this.errors.push(error);
      else this.tally.refused += 1;
    }
  }

  #notApplied(outcome: { readonly status: string } | undefined): void {
    if (outcome?.status === 'refused') this.tally.refused += 1;
    else this.errors.push(outcome);
  }
}

function jobOf(n: number) {
  const delaySeconds = n % 3 === 0 ? Math.random() : 0;
  return newJob({ queue: oneOf(QUEUES), priority: oneOf([0, 0, 5, -5]), delaySeconds, body: `{"n":${n}}` });
}

function numberOf({ body }: ReservedItem): number {
  return (JSON.parse(String(body)) as { readonly n: number }).n;
}

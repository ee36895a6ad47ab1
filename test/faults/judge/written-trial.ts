import type { LedgerEntry, NewEntry, SettledOperation } from '../ledger/entries.js';
import { FENCED_LEASES } from '../targets/delivery-rules.js';
import type { TrialFacts } from './facts.js';
import { judge } from './judge.js';
import type { Verdict } from './verdict.js';

const LEASE_SECONDS = 2;

/** A trial of three jobs that a test writes line by line, each a millisecond after the one before it. */
export class WrittenTrial {
  readonly entries: LedgerEntry[] = [];
  facts: TrialFacts;
  #nowUs = 1_000_000_000;
  #faults = 0;

  constructor(facts: Partial<TrialFacts> = {}) {
    this.facts = {
      jobs: 3,
      leaseSeconds: LEASE_SECONDS,
      rules: FENCED_LEASES,
      bites: [],
      leftovers: { ready: 0, delayed: 0, reserved: 0, failed: 0, failedIds: [] },
      ...facts,
    };
  }

  write(process: string, entry: NewEntry): this {
    this.#nowUs += 1_000;
    this.entries.push({ atUs: this.#nowUs, process, ...entry });
    return this;
  }

  pass(seconds: number): this {
    this.#nowUs += seconds * 1_000_000;
    return this;
  }

  push(job: number, id = `id-${job}`): this {
    return this.write('pusher', { kind: 'push-try', job }).write('pusher', { kind: 'push-ok', job, id });
  }

  start(process: string, job: number, attempt = 1, id = `id-${job}`): this {
    return this.write(process, { kind: 'start', job, id, attempt });
  }

  end(process: string, job: number, attempt = 1, id = `id-${job}`): this {
    return this.write(process, { kind: 'end', job, id, attempt });
  }

  threw(process: string, job: number, attempt = 1): this {
    return this.write(process, { kind: 'threw', job, id: `id-${job}`, attempt });
  }

  settle(
    process: string,
    job: number,
    options: {
      readonly kind?: 'settle-ok' | 'settle-stale' | 'settle-unknown';
      readonly operation?: SettledOperation;
      readonly attempt?: number;
      readonly id?: string;
    } = {},
  ): this {
    const { kind = 'settle-ok', operation = 'ack', attempt = 1, id = `id-${job}` } = options;
    return this.write(process, { kind, id, attempt, operation });
  }

  /** Started, ended and acknowledged. */
  run(process: string, job: number, attempt = 1, id = `id-${job}`): this {
    return this.start(process, job, attempt, id)
      .end(process, job, attempt, id)
      .settle(process, job, { attempt, id });
  }

  fault(
    fault: Extract<NewEntry, { kind: 'fault' }>['fault'],
    of: string,
    more: { id?: string; detail?: string } = {},
  ): this {
    this.#faults += 1;
    return this.write('trial', { kind: 'fault', fault, of, number: this.#faults, ...more });
  }

  healed(): this {
    return this.write('trial', { kind: 'healed', number: this.#faults });
  }

  exit(of: string, code: number | null = 0, signal: string | null = null): this {
    return this.write('trial', { kind: 'exit', of, code, signal });
  }

  judged(): Verdict {
    return judge(this.entries, this.facts);
  }

  /** The names of the rules that were broken, each once. */
  broken(): readonly string[] {
    return [...new Set(this.judged().violations.map(({ rule }) => rule))];
  }
}

/** Three jobs pushed, and two of them done: a test goes on with the third, number 0. */
export function twoDone(facts: Partial<TrialFacts> = {}): WrittenTrial {
  return new WrittenTrial(facts).push(0).push(1).push(2).run('worker-1', 1).run('worker-2', 2);
}

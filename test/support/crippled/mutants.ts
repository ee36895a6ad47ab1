import type {
  ConsumeOptions,
  Consumption,
  FailedJobsPage,
  FailedJobsQuery,
  NewJob,
  ReservedItem,
  SettleOutcome,
  Settlement,
  StoreOutcome,
} from '../../../lib/contract/index.js';
import type { Delivery } from './channel.js';
import { CrippledBackend } from './crippled-backend.js';

const APPLIED = { status: 'applied' } as const;

/** Acknowledges the original although the broker did not confirm its replacement. */
class LosesTheOriginal extends CrippledBackend {
  protected override async returnOriginal({ inner }: Delivery): Promise<void> {
    await this.inner.settle([{ operation: 'ack', receipt: inner, followUps: [] }]);
  }
}

/** Takes an unconfirmed publish for a stored job. */
class TrustsThePublish extends CrippledBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return (await super.store(jobs)).map((outcome) => (outcome.status === 'unknown' ? APPLIED : outcome));
  }
}

/** Sends the settlement of a closed channel over the one that is open now. */
class SettlesOnAnyChannel extends CrippledBackend {
  override settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const closed = settlements.filter(({ receipt }) => (receipt as Delivery).channel.closed);
    return closed.length === 0 ? super.settle(settlements) : Promise.resolve(closed.map(() => APPLIED));
  }
}

/** Never tells that a delivery was lost with its channel. */
class KeepsQuietAboutLosses extends CrippledBackend {
  override async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const items = await super.reserve(queues, limit);
    return items.map((item) => ({ ...item, lost: new AbortController().signal }));
  }
}

/** Sends ahead whatever there is. */
class IgnoresPrefetch extends CrippledBackend {
  override consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    return super.consume(queue, { ...options, prefetch: options.prefetch + 10 });
  }
}

/** Lists the newest of a store that it can only read from the oldest on. */
class ScansBackwards extends CrippledBackend {
  override async listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    const { jobs } = await super.listFailed({ ...query, limit: 1_000 });
    return { jobs: jobs.toReversed().slice(0, query.limit), cursor: null };
  }
}

/** Answers a batch by its status as a whole: an entry that was refused in it is forgotten. */
class ForgetsRefusedEntries extends CrippledBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return (await super.store(jobs)).map((outcome) => (outcome.status === 'refused' ? APPLIED : outcome));
  }

  override async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    const outcomes = await super.settle(settlements);
    return outcomes.map((outcome) => (outcome.status === 'refused' ? APPLIED : outcome));
  }
}

/** Answers in the order of answers, which names the good entries first. */
class MixesUpEntries extends CrippledBackend {
  override async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return (await super.store(jobs)).toSorted((a, b) => a.status.localeCompare(b.status));
  }
}

export interface CrippledMutant {
  readonly Backend: typeof CrippledBackend;
  /** Cases that must fail on it; others may. */
  readonly caughtBy: readonly string[];
}

export const rabbitmqMutants: { readonly [what: string]: CrippledMutant } = {
  'loses the original when its replacement is not confirmed': {
    Backend: LosesTheOriginal,
    caughtBy: ['silence: a release whose request is lost is unknown, and the job comes again'],
  },
  'takes an unconfirmed publish for a stored job': {
    Backend: TrustsThePublish,
    caughtBy: ['silence: a push whose request is lost rejects, and never as if nothing had been sent'],
  },
  'answers for a closed channel as if it were open': {
    Backend: SettlesOnAnyChannel,
    caughtBy: ['lost: ack after its channel was closed is stale and reaches nobody'],
  },
  'never tells that a delivery is lost': {
    Backend: KeepsQuietAboutLosses,
    caughtBy: ['lost: a delivery whose channel was closed is told so, and comes again'],
  },
  'sends more than the prefetch': {
    Backend: IgnoresPrefetch,
    caughtBy: ['consume: never more come than the prefetch, until one is settled'],
  },
  'scans failed jobs from the newest on': {
    Backend: ScansBackwards,
    caughtBy: ['failed: failed jobs are read from the oldest on, without pages'],
  },
};

export const sqsMutants: { readonly [what: string]: CrippledMutant } = {
  'forgets an entry of a batch that failed in part': {
    Backend: ForgetsRefusedEntries,
    caughtBy: [
      'refusal: pushMany() answers for each entry when one is refused',
      'refusal: a settlement that is refused is named, and the others of its batch are applied',
    ],
  },
  'mixes up the entries of a batch that failed in part': {
    Backend: MixesUpEntries,
    caughtBy: ['refusal: pushMany() answers for each entry when one is refused'],
  },
};

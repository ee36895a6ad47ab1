import type { QueueBackend } from '../../../../lib/contract/index.js';
import type { ConformanceHarness } from '../../../../lib/testing.js';
import { memoryHarness, openMemory } from '../memory-harness.js';
import * as failing from './failed-mutants.js';
import { ForwardingBackend } from './forwarding-backend.js';
import * as reserving from './reserve-mutants.js';
import * as settling from './settlement-mutants.js';
import * as storing from './store-mutants.js';

export interface Mutant {
  readonly break: new (inner: QueueBackend) => QueueBackend;
  /** Cases that must fail on it; others may. */
  readonly caughtBy: readonly string[];
}

/** Backends that are broken on purpose, each in one way that real backends were broken. */
export const mutants: { readonly [what: string]: Mutant } = {
  'ignores the token on ack': {
    break: settling.IgnoresTokenOnAck,
    caughtBy: ['stale: ack after a reclaim is stale and changes nothing'],
  },
  'reclaims without counting': {
    break: reserving.ReclaimsWithoutCounting,
    caughtBy: ['attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals'],
  },
  'drops jobs that fall due': {
    break: storing.DropsDueJobs,
    caughtBy: ['delays: a delayed job comes when its delay is over, and not before'],
  },
  'clears reservations': {
    break: storing.ClearTakesReservations,
    caughtBy: [
      'clear: a reserved job is left, and its settlement holds',
      'clear: a reservation is left even after its lease ended, and its settlement holds',
    ],
  },
  'gives the newest first': {
    break: reserving.NewestFirst,
    caughtBy: ['order: jobs pushed without a delay come oldest first'],
  },
  'forgets the rest of a batch after a malformed item': {
    break: reserving.ForgetsBatchAfterMalformed,
    caughtBy: ['malformed: in a batch the good jobs come, in order, and each bad item is told'],
  },
  'rounds delays down': {
    break: storing.RoundsDelaysDown,
    caughtBy: ['delays: a delay of 2.9 s is a floor'],
  },
  'loses releases': {
    break: settling.LosesReleases,
    caughtBy: ['settlement: a job released without a delay is there at once'],
  },
  'forgets the delay of a release': {
    break: settling.ForgetsReleaseDelays,
    caughtBy: ['delays: a released job waits for its delay'],
  },
  'only lengthens leases': {
    break: settling.OnlyLengthensLeases,
    caughtBy: ['leases: an extension shortens a lease too'],
  },
  'answers a batch stale for one entry': {
    break: settling.OneStaleSpoilsBatch,
    caughtBy: ['settlement: a stale entry of a batch is named and the others are applied'],
  },
  'drops follow-ups': {
    break: settling.DropsFollowUps,
    caughtBy: ['settlement: an ack stores its follow-ups'],
  },
  'takes more than the limit': {
    break: reserving.IgnoresLimit,
    caughtBy: ['order: reserve() gives at most 1 when asked for 1'],
  },
  'shares deliveries': {
    break: reserving.SharesDeliveries,
    caughtBy: ['concurrency: reserves at the same time never share a delivery'],
  },
  'ignores the order of the list': {
    break: reserving.IgnoresListOrder,
    caughtBy: ['order: the order of the list goes before the order of pushes'],
  },
  'merges identical jobs': {
    break: storing.MergesIdenticalJobs,
    caughtBy: ['push: two identical jobs stay two'],
  },
  'stores lists backwards': {
    break: storing.StoresListsBackwards,
    caughtBy: ['push: pushMany() answers ids in order and stores in that order'],
  },
  'stores what comes before a refused entry': {
    break: storing.StoresUntilRefused,
    caughtBy: ['push: a store of many with one of attempts that are null stores all or none'],
  },
  'says that none was stored where one was not': {
    break: storing.DeniesWhatItStored,
    caughtBy: ['push: a store of many with one of attempts that are null stores all or none'],
  },
  'stores queue by queue what it calls one step': {
    break: storing.StoresQueueByQueue,
    caughtBy: [
      'push: a store over two queues with one of attempts that are null answers for each queue what is there',
    ],
  },
  'cuts at NUL': {
    break: storing.CutsAtNul,
    caughtBy: ['fidelity: a NUL comes back equal'],
  },
  'rewrites bodies': {
    break: storing.RewritesBodies,
    caughtBy: ['fidelity: the body is the very text that was pushed'],
  },
  'gives every job the connection’s lease': {
    break: storing.ForgetsOwnLeases,
    caughtBy: ['leases: a job’s own shorter lease ends sooner'],
  },
  'takes no notice of case in names': {
    break: storing.MixesUpCase,
    caughtBy: ['names: names that differ only in case are two queues'],
  },
  'counts by stored state': {
    break: storing.CountsByStoredState,
    caughtBy: ['counts: a reservation that expired counts as ready, before anyone reclaimed it'],
  },
  'drops failed jobs': {
    break: failing.DropsFailedJobs,
    caughtBy: ['failed: a failed job is kept as it was, with what went wrong and when'],
  },
  'retries a failed job and keeps it': {
    break: failing.RetriesWithoutRemoving,
    caughtBy: ['failed: a retry of what is not there is missing, and so is a second one'],
  },
  'forgets pauses': {
    break: failing.ForgetsPauses,
    caughtBy: ['pause: nothing is reserved from a paused queue; the rest goes on'],
  },
};

/** The memory backend, wrapped: in a mutant, or in nothing that changes it. */
export function wrappedMemory(
  name: string,
  wrap: new (inner: QueueBackend) => QueueBackend = ForwardingBackend,
): ConformanceHarness {
  return {
    ...memoryHarness,
    name,
    // On memory whatever is there is there at once.
    patienceMs: 20,
    async open(options) {
      const store = await openMemory(options);
      const backend = new wrap(store.backend);
      return { ...store, backend, second: async () => backend };
    },
  };
}

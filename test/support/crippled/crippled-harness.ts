import { randomBytes } from 'node:crypto';
import { MEMORY_CAPABILITIES } from '../../../lib/backends/memory/index.js';
import { MemoryBackend } from '../../../lib/backends/memory/memory-backend.js';
import { failedJobsRetention } from '../../../lib/contract/index.js';
import {
  type ConformanceHarness,
  type Facility,
  malformedKinds,
  type RawItem,
} from '../../../lib/testing.js';
import { CrippledBackend } from './crippled-backend.js';
import { oneLess, type Profile, rabbitmqProfile, sqsProfile } from './profiles.js';

type RawHeader = RawItem['header'];

interface CrippledHarnessOptions {
  /** What the store makes of a header that a foreign writer left. */
  readonly readHeader?: (header: RawHeader) => RawHeader;
  readonly cannotHold?: (kind: string) => boolean;
  readonly Backend?: typeof CrippledBackend;
}

function facilitiesOf({ capabilities, batchSize, twoStep }: Profile): readonly Facility[] {
  return [
    'clock',
    'storeRaw',
    'second',
    ...(capabilities.extend ? [] : (['disconnect'] as const)),
    ...(twoStep || batchSize < Infinity ? (['silence'] as const) : []),
    // Where a return is two steps, an ack is one that nobody answers.
    ...(!twoStep && batchSize < Infinity ? (['silenceAck'] as const) : []),
    ...(batchSize < Infinity ? (['refuse'] as const) : []),
  ];
}

export function crippledHarness(profile: Profile, options: CrippledHarnessOptions = {}): ConformanceHarness {
  const { name, capabilities } = profile;
  const { readHeader = (header) => header, cannotHold = () => false, Backend = CrippledBackend } = options;
  return {
    name,
    capabilities,
    facilities: facilitiesOf(profile),
    // Memory numbers transitions itself, see its own harness.
    cannotHold: malformedKinds
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('header.serial:') || cannotHold(kind)),
    patienceMs: 250,
    async open({ leaseSeconds }) {
      let now = Date.now();
      const retention = failedJobsRetention(capabilities.failedJobs === 'no' ? false : undefined, 'crippled');
      const memory = new MemoryBackend(leaseSeconds, { now: () => now }, retention);
      const backend = new Backend(memory, capabilities, profile);
      return {
        backend,
        advance: (seconds) => void (now += Math.round(seconds * 1_000)),
        async storeRaw({ queue, header, body }) {
          const id = randomBytes(16).toString('hex');
          await backend.store([{ id, queue, header: readHeader(header), body, delaySeconds: 0 } as never]);
        },
        second: async () => backend,
        disconnect: () => backend.disconnect(),
        silence: async (lost) => backend.server.silence(lost),
        refuse: async (entry) => backend.server.refuse(entry),
        close: () => backend.close(),
      };
    },
  };
}

/** Fields that a message carries as headers; one that is missing means 0, or none. */
const DEFAULTS = {
  v: 1,
  attempts: 0,
  deferrals: 0,
  graceRounds: 0,
  leaseSeconds: null,
  priority: 0,
  rank: 0,
  uniqueKey: null,
};

export function rabbitmqHarness(Backend: typeof CrippledBackend = CrippledBackend): ConformanceHarness {
  return crippledHarness(rabbitmqProfile, {
    Backend,
    readHeader: (header) => ({ ...DEFAULTS, ...defined(header) }),
    cannotHold: (kind) => kind === 'header: unreadable' || /^header\..*: missing$/.test(kind),
  });
}

/** Only what an attribute says at the push can be damaged; the rest is the store's own count, or constant. */
export function sqsHarness(Backend: typeof CrippledBackend = CrippledBackend): ConformanceHarness {
  return crippledHarness(sqsProfile, {
    Backend,
    readHeader: (header) => ({
      ...DEFAULTS,
      ...defined({ v: header?.['v'], leaseSeconds: header?.['leaseSeconds'] }),
    }),
    cannotHold: (kind) =>
      (kind.startsWith('header') && !/^header\.(v|leaseSeconds): (?!missing)/.test(kind)) ||
      ['body: empty', 'body: not UTF-8', 'body: a NUL byte', 'body: UTF-8 cut within a character'].includes(
        kind,
      ),
  });
}

/** Memory with one thing less. */
export function lackingHarness(what: string): ConformanceHarness {
  const capabilities = { ...MEMORY_CAPABILITIES, ...oneLess[what] };
  const batchSize = capabilities.atomicPushMany ? Infinity : 10;
  const counted = /^header\.(attempts|deferrals|graceRounds): /;
  const profile = {
    name: `memory without ${what}`,
    capabilities,
    batchSize,
    longPoll: false,
    twoStep: false,
  };
  // A store that counts deliveries itself reads no counter of a header.
  return crippledHarness(profile, { cannotHold: (kind) => !capabilities.freeDeferral && counted.test(kind) });
}

function defined(fields: RawHeader): { readonly [field: string]: unknown } {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined));
}

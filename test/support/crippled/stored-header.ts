import type {
  Capabilities,
  HeaderChanges,
  JobHeader,
  NewJob,
  RawHeader,
} from '../../../lib/contract/index.js';

/** What rides in a stored header beside its fields, so that what memory does to them can be taken back. */
export interface Notes {
  /** Attempts without the deaths of workers. */
  readonly ownAttempts?: unknown;
  /** The serial of the message that this one replaced. */
  readonly serialBefore?: number;
}
export type StoredHeader = JobHeader & Notes;

/** Three levels, and one above them for deferrals. */
function levelOf(rank: unknown): number {
  if (typeof rank !== 'number') return 0;
  return rank > 100 ? 2 : rank > 33 ? 1 : rank < -33 ? -1 : 0;
}

/** Decides the place in a queue: as much of the rank as the store keeps, and chance where it keeps no order. */
function placeOf(header: JobHeader, { priorityLevels, keepsOrder }: Capabilities): number {
  const rank =
    priorityLevels === 'full' ? header.rank : priorityLevels === 'levels' ? levelOf(header.rank) : 0;
  // Below the level itself, for a job that comes back to it may be promised the front.
  return keepsOrder ? rank : rank - Math.random() * 0.9;
}

/** A job as it is handed to memory. */
export function stored(job: NewJob, capabilities: Capabilities, notes: Notes = {}): NewJob {
  const header = job.header as JobHeader | null;
  if (header === null) return job;
  const kept: StoredHeader = {
    ...header,
    rank: placeOf(header, capabilities),
    ownAttempts: header.attempts,
    ...notes,
  };
  return { ...job, header: kept };
}

/** Changes as memory is to make them. */
export function storedChanges(changes: HeaderChanges): HeaderChanges & Notes {
  return changes.attempts === undefined ? changes : { ...changes, ownAttempts: changes.attempts };
}

/** A header as this store gives it out again; `receives` is how often it gave it out, this time included. */
export function shown(raw: RawHeader, capabilities: Capabilities, receives: number): RawHeader {
  if (raw === null) return null;
  const { ownAttempts, serialBefore = 0, ...header } = raw as StoredHeader;
  const result: { [field: string]: unknown } = { ...header };
  if (serialBefore > 0) result['serial'] = header.serial + serialBefore;
  if ('priority' in header) result['rank'] = header.priority;
  if (!capabilities.countsCrashes && isCount(header.attempts) && isCount(ownAttempts)) {
    result['attempts'] = Math.min(header.attempts, ownAttempts);
  }
  if (!capabilities.freeDeferral) {
    Object.assign(result, { attempts: receives - 1, deferrals: 0, graceRounds: 0 });
  }
  return result;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

import {
  type Capabilities,
  decodeItem,
  type JobHeader,
  type NewJob,
  type ReservedItem,
  type StoredJob,
} from '../../contract/index.js';

/** Why a job stays where it is. */
export type StayReason =
  /** Its bytes do not decode; nobody knows what would be moved. */
  | 'undecodable'
  /** A newer version of this package wrote it. */
  | 'newer'
  /** The destination cannot keep so long a delay. */
  | 'delay'
  /** Another job of the destination holds its unique key. */
  | 'unique-key'
  /** The destination would not take it, such as for its size. */
  | 'refused';

export type Movable =
  | { readonly kind: 'job'; readonly job: NewJob; readonly serial: number }
  | { readonly kind: 'stays'; readonly reason: StayReason };

/** A stored job as the destination is to store it: the same id, header and body, as far as it keeps them. */
export function movableOf(
  stored: ReservedItem | StoredJob,
  delaySeconds: number,
  destination: Capabilities,
): Movable {
  const { queue, header, body } = stored;
  const decoded = decodeItem({ queue, header, body, receipt: null, leaseSeconds: null });
  if (decoded.kind === 'newer') return { kind: 'stays', reason: 'newer' };
  if (decoded.kind !== 'job') return { kind: 'stays', reason: 'undecodable' };
  if (delaySeconds > destination.maxPushDelaySeconds) return { kind: 'stays', reason: 'delay' };
  return {
    kind: 'job',
    serial: decoded.job.header.serial,
    job: {
      id: decoded.job.id,
      queue,
      header: keptOf(decoded.job.header, destination),
      // What decodes is UTF-8 text, and goes on as it is.
      body: typeof body === 'string' ? body : new TextDecoder().decode(body),
      delaySeconds,
    },
  };
}

function keptOf(header: JobHeader, { unique, priorityLevels }: Capabilities): JobHeader {
  return {
    ...header,
    ...(unique ? {} : { uniqueKey: null }),
    ...(priorityLevels === 'none' ? { priority: 0, rank: 0 } : {}),
  };
}

/** What the destination does not keep of a job although the source does, in words. */
export function lossesBetween(source: Capabilities, destination: Capabilities): readonly string[] {
  return [
    ...(source.unique && !destination.unique ? ['keeps no unique keys: jobs lose theirs'] : []),
    ...(source.priorityLevels !== 'none' && destination.priorityLevels === 'none'
      ? ['keeps no priorities: jobs lose theirs']
      : []),
    ...(source.freeDeferral && !destination.freeDeferral
      ? ['counts attempts by itself: they begin again']
      : []),
  ];
}

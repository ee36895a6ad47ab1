import {
  ENVELOPE_VERSION,
  type HeaderChanges,
  type JobHeader,
  type NewJob,
  type RawHeader,
} from '../../../contract/index.js';
import { carriedHeaders, type MessageHeaders } from './carried-headers.js';
import type { QueueType } from './topology-settings.js';

/**
 * The headers of a job that is pushed. A job without a lease of its own has none; the rank is not among them, it is the
 * message's priority and so ends with the delivery; unique keys are refused before.
 */
export function newHeaders({ id, header }: Pick<NewJob, 'id' | 'header'>): MessageHeaders {
  const { v, serial, attempts, deferrals, graceRounds, priority, leaseSeconds } = header;
  return {
    id,
    v,
    serial,
    attempts,
    deferrals,
    graceRounds,
    priority,
    ...(leaseSeconds === null ? {} : { leaseSeconds }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A quorum queue counts the deliveries that came to nothing; with what is stored they make the completed attempts. */
function withDeliveries(attempts: unknown, deliveries: unknown): unknown {
  return isCount(attempts) && isCount(deliveries) ? attempts + deliveries : attempts;
}

/**
 * The header of a received message. What is missing is that of a job never delivered; what has the wrong shape is passed
 * on as it is, for the decoder to refuse. null where there is nothing that could have headers.
 */
export function readHeader(headers: unknown, queueType: QueueType): NonNullable<RawHeader> | null {
  if (headers !== undefined && (typeof headers !== 'object' || headers === null)) return null;
  const fields = (headers ?? {}) as MessageHeaders;
  const read = (name: keyof JobHeader, missing: unknown): unknown =>
    Object.hasOwn(fields, name) && fields[name] !== undefined ? fields[name] : missing;
  const priority = read('priority', 0);
  const attempts = read('attempts', 0);
  return {
    v: read('v', ENVELOPE_VERSION),
    serial: read('serial', 0),
    // Elsewhere the count is a leftover of another queue.
    attempts: queueType === 'quorum' ? withDeliveries(attempts, fields['x-delivery-count']) : attempts,
    deferrals: read('deferrals', 0),
    graceRounds: read('graceRounds', 0),
    leaseSeconds: read('leaseSeconds', null),
    priority,
    rank: priority,
    uniqueKey: null,
  };
}

/** What is written again of a header that was read: every counter, whatever its shape. */
function written({
  v,
  serial,
  attempts,
  deferrals,
  graceRounds,
  priority,
}: NonNullable<RawHeader>): MessageHeaders {
  return { v, serial, attempts, deferrals, graceRounds, priority };
}

function raised(serial: unknown): unknown {
  return isCount(serial) ? serial + 1 : serial;
}

/** The received headers with the counters as they were read, as much as fits: deliveries that the broker counted stay counted. */
export function keptHeaders(received: unknown, queueType: QueueType): MessageHeaders {
  const carried = carriedHeaders(received);
  const counts = written(readHeader(carried, queueType) ?? {});
  const { attempts } = readHeader(received, queueType) ?? {};
  return { ...carried, ...counts, ...(isCount(attempts) ? { attempts } : {}) };
}

/** The headers of a delivery that goes back: the serial raised, `changes`, and nothing else. */
export function returnedHeaders(
  received: unknown,
  queueType: QueueType,
  changes: Omit<HeaderChanges, 'rank'>,
): MessageHeaders {
  const kept = keptHeaders(received, queueType);
  return {
    ...kept,
    serial: raised(kept['serial']),
    attempts: changes.attempts ?? kept['attempts'],
    deferrals: changes.deferrals ?? kept['deferrals'],
    graceRounds: changes.graceRounds ?? kept['graceRounds'],
  };
}

import type { Failure, FailureCause } from '../../../contract/index.js';
import type { MessageHeaders } from './carried-headers.js';
import { keptHeaders, returnedHeaders } from './message-headers.js';
import { truncated } from './truncated.js';
import type { QueueType } from './topology-settings.js';

/** The headers that a dead letter has beside those of its job. */
const DEATH_HEADERS = [
  'originalQueue',
  'deathReason',
  'error',
  'errorMessage',
  'errorStack',
  'failedAt',
] as const;

const CAUSES: { readonly [cause in FailureCause]: true } = {
  exhausted: true,
  fatal: true,
  'unknown-class': true,
  'crash-limit': true,
  undecodable: true,
};

const MAX_NAME_BYTES = 255;
const MAX_MESSAGE_BYTES = 4_096;
const MAX_STACK_BYTES = 16_384;

/** One job that is given up on. */
export interface Death {
  /** The queue's own name, without prefix. */
  readonly queue: string;
  /** The job's id, or one for an item whose own cannot be read. */
  readonly id: string;
  readonly failure: Failure;
  readonly failedAt: Date;
}

/** The headers of a dead letter. Long texts are cut: all headers of a message have to fit into one frame. */
export function deadHeaders(received: unknown, queueType: QueueType, death: Death): MessageHeaders {
  const { cause, error, message, stack } = death.failure;
  return {
    ...keptHeaders(received, queueType),
    id: death.id,
    originalQueue: death.queue,
    deathReason: cause,
    error: truncated(error, MAX_NAME_BYTES),
    errorMessage: truncated(message, MAX_MESSAGE_BYTES),
    // Undefined is no header; what an earlier death left is overwritten by it.
    errorStack: stack === null ? undefined : truncated(stack, MAX_STACK_BYTES),
    failedAt: death.failedAt.toISOString(),
  };
}

/** The headers of a dead letter that goes back to its queue: counted from the start, the serial raised. */
export function retriedHeaders(received: unknown): MessageHeaders {
  const headers = returnedHeaders(received, 'classic', { attempts: 0, deferrals: 0, graceRounds: 0 });
  const death = new Set<string>(DEATH_HEADERS);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !death.has(name)));
}

function text(headers: MessageHeaders, name: (typeof DEATH_HEADERS)[number]): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function timeOf(time: number): Date | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The broker's record of taking a message out of `workQueue` because its time to live was over. */
function expiryIn(headers: MessageHeaders, workQueue: string): { readonly time?: unknown } | undefined {
  const deaths: unknown = headers['x-death'];
  if (!Array.isArray(deaths)) return undefined;
  const records: readonly ({ queue?: unknown; reason?: unknown; time?: unknown } | null | undefined)[] =
    deaths;
  return records.find((death) => death?.queue === workQueue && death.reason === 'expired') ?? undefined;
}

/** A timestamp of AMQP: whole seconds, which the client library puts into a wrapper. */
function timestamp(value: unknown): Date | null {
  const seconds = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof seconds === 'number' ? timeOf(seconds * 1_000) : null;
}

/** What the dead letter says of its end; `failedAt` is null where it says nothing of the time. */
export interface ReadDeath {
  readonly id: string | null;
  readonly failure: Failure;
  readonly failedAt: Date | null;
}

/** Reads the headers of a dead letter of the broker's queue `workQueue`, one that the broker moved there or a stranger too. */
export function readDeath(received: unknown, workQueue: string): ReadDeath {
  const headers = (typeof received === 'object' && received !== null ? received : {}) as MessageHeaders;
  const id = typeof headers['id'] === 'string' ? headers['id'] : null;
  const cause = text(headers, 'deathReason');
  if (cause !== null && Object.hasOwn(CAUSES, cause)) {
    return {
      id,
      failedAt: timeOf(Date.parse(text(headers, 'failedAt') ?? '')),
      failure: {
        cause: cause as FailureCause,
        error: text(headers, 'error') ?? 'Error',
        message: text(headers, 'errorMessage') ?? '',
        stack: text(headers, 'errorStack'),
      },
    };
  }
  const expiry = expiryIn(headers, workQueue);
  return {
    id,
    failedAt: timestamp(expiry?.time),
    failure: {
      cause: 'fatal',
      error: expiry === undefined ? 'Unknown' : 'MessageExpired',
      message:
        expiry === undefined
          ? 'Something else than a worker put it among the dead letters.'
          : 'No worker took it within messageTtl, so the broker moved it to the dead letters.',
      stack: null,
    },
  };
}

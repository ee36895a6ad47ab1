import { acquireRaw } from './acquire-raw.js';
import { listenToErrors } from './pooled-lender.js';
import type { RawPool } from './raw-pool.js';

/** Pauses before a lost connection is made again, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** How long one attempt to connect may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface ListenOptions {
  readonly channel: string;
  onMessage(payload: string): void;
  /** Called each time that the channel is heard from then on; what was sent before may have been missed. */
  onListening(): void;
}

export interface ListenHandle {
  /** Stops to listen and ends the connection; resolves when it has ended. */
  close(): Promise<void>;
}

/** A client of pg, as far as it is used here. */
interface PgClient {
  query(text: string): Promise<unknown>;
  on(event: string, listener: (message: { channel: string; payload?: string }) => void): unknown;
}

/**
 * Listens on a channel over a pool of one connection, which is kept out of the pool until it breaks; then another is
 * made, after 1 second, doubling to 30. Nobody waits for it: without it a worker finds its jobs by looking.
 */
export function listenOn(openPool: () => Promise<RawPool>, options: ListenOptions): ListenHandle {
  const stop = new AbortController();
  const done = keepListening(openPool, options, stop.signal);
  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

async function keepListening(
  openPool: () => Promise<RawPool>,
  options: ListenOptions,
  stop: AbortSignal,
): Promise<void> {
  const pool = await openPool().catch(() => undefined);
  if (pool === undefined) return;
  let pauseMs = FIRST_PAUSE_MS;
  while (!stop.aborted) {
    const heard = await listenOnce(pool, options, stop);
    pauseMs = heard ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (!stop.aborted) await pause(pauseMs, stop);
  }
  await pool.end().catch(() => undefined);
}

/** Listens until the connection breaks or `stop`; says whether it ever listened. */
async function listenOnce(pool: RawPool, options: ListenOptions, stop: AbortSignal): Promise<boolean> {
  let raw: object;
  try {
    raw = await acquireRaw(pool, CONNECT_TIMEOUT_MS);
  } catch {
    return false;
  }
  listenToErrors(raw);
  const client = raw as PgClient;
  const over = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  client.on('notification', ({ channel, payload }) => {
    if (channel === options.channel && !stop.aborted) options.onMessage(payload ?? '');
  });
  try {
    await client.query(`listen ${quoted(options.channel)}`);
  } catch (error) {
    pool.discard(raw, error);
    return false;
  }
  if (!stop.aborted) options.onListening();
  await untilAborted(stop, over);
  pool.discard(raw, new Error('The connection was lost, or is no longer wanted.'));
  return true;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Resolves after so long or at `stop`; a process that has nothing else to do may end meanwhile. */
async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds).unref();
  });
  await untilAborted(stop, over);
  clearTimeout(timer);
}

/** Resolves when `over` does, or at `stop`; leaves no listener behind. */
async function untilAborted(stop: AbortSignal, over: Promise<void>): Promise<void> {
  if (stop.aborted) return;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (onAbort = resolve));
  stop.addEventListener('abort', onAbort);
  await Promise.race([over, aborted]);
  stop.removeEventListener('abort', onAbort);
}

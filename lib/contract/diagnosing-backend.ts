import type { QueueBackend } from './queue-backend.js';

/** How much a finding matters: nothing to do, worth a look, or in the way of what is promised. */
export type FindingLevel = 'ok' | 'warning' | 'problem';

/** What a look at a store came to. Holds no secret and no payload. */
export interface Finding {
  /** What was looked at, in a word: "schema", "grants", "clock". */
  readonly topic: string;
  readonly level: FindingLevel;
  readonly message: string;
  /** What to do; null where there is nothing to be done. */
  readonly mend: string | null;
}

/**
 * A backend that can look at its server for whoever looks after it: settings, rights, clocks. No capability: nothing that
 * an application does depends on it.
 */
export interface DiagnosingBackend extends QueueBackend {
  /**
   * Changes nothing. `queues` are those that were named, which may be none. A finding of topic "server" stands for that of
   * `connect()`, where `connect()` itself asks nothing. Throws a `QueueServerException` when the server is not reached.
   */
  diagnose(queues: readonly string[]): Promise<readonly Finding[]>;
}

export function canDiagnose(backend: QueueBackend): backend is DiagnosingBackend {
  return 'diagnose' in backend && typeof backend.diagnose === 'function';
}

/** From this far on, in milliseconds, two clocks are told to differ. */
const NOTICED_MS = 1_000;

/**
 * How the clock of a server stands to this process's. `before` and `after` are this process's, around the question; the
 * difference is known to half of what lies between them.
 */
export function clockFinding(serverMs: number, before: number, after: number): Finding {
  const aheadMs = serverMs - (before + after) / 2;
  const slackMs = (after - before) / 2;
  if (Math.abs(aheadMs) - slackMs < NOTICED_MS) {
    return { topic: 'clock', level: 'ok', message: "the server's clock is this machine's", mend: null };
  }
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  return {
    topic: 'clock',
    level: 'warning',
    message:
      `the server's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's: leases and delays follow ` +
      "the server's, `pushedAt` the pushing machine's",
    mend: 'set both by one time service (NTP)',
  };
}

import { MAX_VISIBILITY_SECONDS } from './service-limits.js';

/** A request is under way for a while, and SQS counts in whole seconds. */
const MARGIN_SECONDS = 5;

/** What can be asked for of a time that a message is to stay hidden from now on. */
export interface HiddenTime {
  /** Whole seconds, 0 or more. */
  readonly seconds: number;
  /** How long SQS hides the message at most: 12 hours from its receive. */
  readonly leftMs: number;
  /** `seconds` is less than was wanted. */
  readonly cut: boolean;
}

/** null when the 12 hours are over: the message is not hidden any more. */
export function hiddenTime(wantedSeconds: number, askedAtMs: number, nowMs: number): HiddenTime | null {
  const leftMs = MAX_VISIBILITY_SECONDS * 1_000 - (nowMs - askedAtMs);
  if (leftMs <= 0) return null;
  const wanted = Math.ceil(wantedSeconds);
  const most = Math.max(0, Math.floor(leftMs / 1_000 - MARGIN_SECONDS));
  return { seconds: Math.min(wanted, most), leftMs, cut: wanted > most };
}

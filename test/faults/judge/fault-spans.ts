import type { FaultEntry, FaultName, LedgerEntry } from '../ledger/entries.js';

/** How late a line may be for what it says: between a server's answer and the write lies a busy process. */
export const LATE_US = 500_000;

/** A fault from its beginning to its end, which is the same instant for one that does not last. */
export interface FaultSpan {
  readonly line: FaultEntry;
  readonly fromUs: number;
  readonly toUs: number;
}

const ENDS_PROCESS: ReadonlySet<FaultName> = new Set(['killed', 'exited']);
const FREEZES: ReadonlySet<FaultName> = new Set(['stopped', 'blocked']);
const REACHES_WIRE: ReadonlySet<FaultName> = new Set([
  'server-killed',
  'server-stopped',
  'cut',
  'stalled',
  'half-open',
  'slow',
  'reply-dropped',
]);

/** Goes on until it is healed, be it for ever. */
const LASTS: ReadonlySet<FaultName> = new Set([
  'stopped',
  'blocked',
  'server-killed',
  'server-stopped',
  'stalled',
  'half-open',
  'slow',
  'lease-ended',
]);

export const endsProcess = ({ line }: FaultSpan): boolean => ENDS_PROCESS.has(line.fault);
export const freezes = ({ line }: FaultSpan): boolean => FREEZES.has(line.fault);
export const reachesWire = ({ line }: FaultSpan): boolean => REACHES_WIRE.has(line.fault);

/** Every fault of a trial, in order. */
export function faultSpans(entries: readonly LedgerEntry[]): readonly FaultSpan[] {
  const healedUs = new Map<string, number>();
  const exitUs = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === 'healed') healedUs.set(`${entry.process} ${entry.number}`, entry.atUs);
    if (entry.kind === 'exit') exitUs.set(entry.of, entry.atUs);
  }
  const toUs = ({ process, number, fault, of, atUs }: FaultEntry): number => {
    // The line is written before the signal is sent, and a process may go on writing until it reaches it.
    if (ENDS_PROCESS.has(fault)) return exitUs.get(of) ?? atUs;
    return healedUs.get(`${process} ${number}`) ?? (LASTS.has(fault) ? Infinity : atUs);
  };
  return entries
    .filter((entry) => entry.kind === 'fault')
    .map((line) => ({ line, fromUs: line.atUs, toUs: toUs(line) }));
}

/** Whether a fault is one of that process, or of the server or the wire that it uses. */
export function touches({ line: { of } }: FaultSpan, process: string): boolean {
  return of === process || of === 'server' || (of === 'workers' && process.startsWith('worker'));
}

export function overlaps(span: Pick<FaultSpan, 'fromUs' | 'toUs'>, fromUs: number, toUs: number): boolean {
  return span.fromUs <= toUs && span.toUs >= fromUs;
}

import type { Case } from '../case.js';
import type { Bite, InFlight } from '../facts.js';
import { type FaultSpan, overlaps } from '../fault-spans.js';
import type { Rule } from './rule.js';

/** A trial whose fault hit nothing shows nothing. */
export const faultsBite: Rule = (found) =>
  found.facts.bites.flatMap((bite) => {
    const spans = found.faults.filter(({ line }) => line.fault === bite.fault);
    const bitten = spans.filter((span) => hits(found, span, bite.while)).length;
    if (bitten >= bite.times) return [];
    return [
      {
        rule: 'fault-did-not-bite',
        promise: 'trial',
        text: textOf(bite, spans.length, bitten),
        lines: spans.map(({ line }) => line),
      },
    ];
  });

function textOf({ fault, while: what, times }: Bite, count: number, bitten: number): string {
  if (what === 'anything') return `expected ${times} × ${fault}, came ${count}`;
  return `expected ${times} × ${fault} while a ${what} was in flight, came ${bitten} of ${count}`;
}

function hits(found: Case, span: FaultSpan, what: InFlight): boolean {
  if (what === 'anything') return true;
  return inFlight(found, what).some(
    ({ process, fromUs, toUs }) => isNear(span, process) && overlaps(span, fromUs, toUs),
  );
}

/** A fault of the server or a wire meets everybody on it; one of a process only what that process has in hand. */
function isNear({ line: { of } }: FaultSpan, process: string): boolean {
  return of === process || of === 'server' || of === (process === 'pusher' ? 'pusher' : 'workers');
}

interface Busy {
  readonly process: string;
  readonly fromUs: number;
  readonly toUs: number;
}

function inFlight(found: Case, what: Exclude<InFlight, 'anything'>): readonly Busy[] {
  if (what === 'push') return pushesInFlight(found);
  return found.deliveries.flatMap(({ process, start, end, threw, settled }) => {
    const fromUs = what === 'delivery' ? start?.atUs : (end ?? threw)?.atUs;
    return fromUs === undefined ? [] : [{ process, fromUs, toUs: settled?.atUs ?? Infinity }];
  });
}

function pushesInFlight({ pushes }: Case): readonly Busy[] {
  return [...pushes.values()].flatMap((entries) =>
    entries.flatMap((entry, index) =>
      entry.kind === 'push-try'
        ? [{ process: entry.process, fromUs: entry.atUs, toUs: entries[index + 1]?.atUs ?? Infinity }]
        : [],
    ),
  );
}

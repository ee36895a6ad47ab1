import { reachesWire, touches } from '../fault-spans.js';
import type { Rule } from './rule.js';

/** An answer that did not come has a cause too: a fault of the wire, the server, the call or the process itself. */
export const unknownOutcomes: Rule = ({ entries, faults }) =>
  entries
    .filter(({ kind }) => kind === 'settle-unknown' || kind === 'push-unknown')
    .filter(
      (entry) =>
        !faults.some(
          (span) =>
            touches(span, entry.process) &&
            span.fromUs <= entry.atUs &&
            (reachesWire(span) || ['injected', 'stopped', 'blocked'].includes(span.line.fault)),
        ),
    )
    .map((entry) => ({
      rule: 'unknown-without-fault',
      promise: 'P4',
      text: `${entry.process} got no answer, and no fault had reached it`,
      lines: [entry],
    }));

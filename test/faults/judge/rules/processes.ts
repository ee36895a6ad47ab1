import { endsProcess } from '../fault-spans.js';
import type { Violation } from '../verdict.js';
import type { Rule } from './rule.js';

/** Processes end only when the trial ends them, and meet nothing that no trial expects. */
export const processes: Rule = ({ entries, faults, deliveries }) =>
  entries.flatMap((entry): Violation[] => {
    if (entry.kind === 'defect') {
      return [{ rule: 'defect', promise: 'trial', text: `${entry.process}: ${entry.text}`, lines: [entry] }];
    }
    if (entry.kind !== 'exit' || entry.code === 0) return [];
    const own = faults.filter(({ line }) => line.of === entry.of);
    if (own.some(endsProcess)) return [];
    if (entry.code === 1 && own.some(({ line }) => line.fault === 'forced-to-stop')) return [];
    // One that is told to stop while it boots has nothing in hand, and nothing to end in order.
    const isIdle = deliveries.every(({ process }) => process !== entry.of);
    if (entry.signal === 'SIGTERM' && isIdle && own.some(({ line }) => line.fault === 'told-to-stop'))
      return [];
    const how = entry.signal ?? `code ${String(entry.code)}`;
    return [
      { rule: 'process-ended', promise: 'trial', text: `${entry.of} ended with ${how}`, lines: [entry] },
    ];
  });

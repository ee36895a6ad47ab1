import { formatCount, jobs } from '../output/format.js';
import type { StayReason } from './movable-job.js';

/** What became of the jobs of one queue. */
export class MoveTally {
  moved = 0;
  /** Those of `moved` that still wait for their time. */
  delayed = 0;
  /** Found at the destination, where a move that was ended had stored them: only settled at the source. */
  alreadyThere = 0;
  /** In both stores, as far as the move knows: one of them did not answer, or a worker took the job in between. */
  mayRunTwice = 0;
  readonly stayed = new Map<StayReason, number>();
  /** Held by workers, or by a move that was ended, when this one was through. */
  held = 0;
  /** Ready or delayed when this one was through. */
  left = 0;

  constructor(readonly queue: string) {}

  stay(reason: StayReason): void {
    this.stayed.set(reason, (this.stayed.get(reason) ?? 0) + 1);
  }

  /** How many were looked at. */
  get done(): number {
    return this.moved + this.alreadyThere + this.stays;
  }

  get stays(): number {
    return [...this.stayed.values()].reduce((sum, count) => sum + count, 0);
  }

  toJSON(): object {
    const { queue, moved, delayed, alreadyThere, mayRunTwice, held, left } = this;
    return {
      queue,
      moved,
      delayed,
      alreadyThere,
      mayRunTwice,
      stayed: Object.fromEntries(this.stayed),
      held,
      left,
    };
  }
}

const WHY: { readonly [Reason in StayReason]: string } = {
  undecodable: 'undecodable',
  newer: 'written by a newer version',
  delay: 'delayed for longer than the destination keeps',
  'unique-key': 'another job of the destination holds the unique key',
  refused: 'refused by the destination, such as for the size',
};

/** A tally in words: a line, and one more for each thing to look at. */
export function tallyLines(tally: MoveTally): readonly string[] {
  const { queue, moved, delayed, alreadyThere, mayRunTwice, stayed, stays, held, left } = tally;
  const came = left - stays;
  return [
    `"${queue}": moved ${jobs(moved)}${delayed === 0 ? '' : `, ${formatCount(delayed)} of them delayed`}`,
    ...(alreadyThere === 0 ? [] : [`  moved before: ${jobs(alreadyThere)}`]),
    ...(mayRunTwice === 0 ? [] : [`  may run twice: ${jobs(mayRunTwice)}, perhaps in both stores`]),
    ...[...stayed].map(([reason, count]) => `  stayed: ${jobs(count)}, ${WHY[reason]}`),
    ...(held === 0
      ? []
      : [`  held: ${jobs(held)}, by workers or by a move that was ended; move again when back`]),
    ...(came <= 0 ? [] : [`  left: ${jobs(came)}, move again`]),
  ];
}

import { describe, expect, it } from 'vitest';
import { deliveriesOf } from '../support/deliveries.js';

/** A ledger of one job, told as "event attempt" line by line. */
function ledger(...lines: readonly string[]) {
  return lines.map((line) => {
    const [event = '', attempt] = line.split(' ');
    return { event, pid: 1, id: 'a', attempt: Number(attempt) };
  });
}

describe('the judge of a ledger', () => {
  it('has nothing to say against a settlement of unknown outcome and the delivery that follows it', () => {
    const lines = ledger('start 1', 'end 1', 'JobSettlementUnknown 1', 'start 2', 'end 2', 'JobSucceeded 2');
    expect(deliveriesOf(lines)).toEqual({
      ids: new Set(['a']),
      again: 1,
      unreported: [],
      afterSuccess: [],
      withoutCause: [],
    });
  });

  it('names a delivery after a success', () => {
    const lines = ledger('start 1', 'end 1', 'JobSucceeded 1', 'start 2', 'end 2', 'JobSucceeded 2');
    expect(deliveriesOf(lines)).toMatchObject({ afterSuccess: ['a attempt 2'] });
  });

  it('names a delivery while another is still open', () => {
    const lines = ledger('start 1', 'start 2', 'end 1', 'JobSucceeded 1', 'end 2', 'JobSettlementLost 2');
    expect(deliveriesOf(lines)).toMatchObject({ withoutCause: ['a attempt 2'] });
  });

  it('names a handler that ended without an outcome, or with two', () => {
    expect(deliveriesOf(ledger('start 1', 'end 1'))).toMatchObject({ unreported: ['a attempt 1'] });
    const lines = ledger('start 1', 'end 1', 'JobSucceeded 1', 'JobSettlementUnknown 1');
    expect(deliveriesOf(lines)).toMatchObject({ unreported: ['a attempt 1'] });
  });
});

import type { LedgerWriter } from '../ledger/ledger-writer.js';

const EVERY_MS = 50;
/** Shorter ones matter to no lease. */
const TOLD_FROM_MS = 200;

/** Writes each time that the event loop stood still, by the clock that nobody shifts. It keeps no process alive. */
export function watchLoopLag(ledger: LedgerWriter): void {
  let before = process.hrtime.bigint();
  setInterval(() => {
    const now = process.hrtime.bigint();
    const ms = Number((now - before) / 1_000_000n) - EVERY_MS;
    if (ms >= TOLD_FROM_MS) ledger.write({ kind: 'lag', ms });
    before = now;
  }, EVERY_MS).unref();
}

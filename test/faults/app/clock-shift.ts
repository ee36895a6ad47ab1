import { faultLedger } from './fault-environment.js';

/**
 * Loaded before a worker: of three workers one sees a time of day an hour ahead, one an hour behind, one the right one.
 * Timers and the monotonic clock go on as they are, as they do on a machine whose clock is wrong.
 */
const HOURS = [0, 1, -1] as const;
const HOUR_MS = 3_600_000;

const ledger = faultLedger();
const hours = HOURS[Number(ledger.name.split('-')[1]) % HOURS.length] ?? 0;

if (hours !== 0) {
  const now = Date.now.bind(Date);
  const shifted = (): number => now() + hours * HOUR_MS;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [shifted()] : args, newTarget) as object,
    apply: (target) => new target(shifted()).toString(),
    get: (target, key, receiver) =>
      key === 'now' ? shifted : (Reflect.get(target, key, receiver) as unknown),
  });
  ledger.write({ kind: 'fault', fault: 'clock-shifted', of: ledger.name, number: 1, detail: `${hours} h` });
}

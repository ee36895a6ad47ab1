import { describe, JobDeclarationException } from '../contract/index.js';

/** Refuses what is no backoff. A function is taken as it is: what it answers is checked where it is asked. */
export function checkBackoff(backoff: unknown, what: string): void {
  if (typeof backoff === 'function') return;
  if (Array.isArray(backoff)) {
    if (backoff.length === 0) refuse(what, 'at least one number of seconds', backoff);
    for (const seconds of backoff) checkSeconds(seconds, `${what}, entry`);
    return;
  }
  if (typeof backoff === 'object' && backoff !== null) {
    checkExponential(backoff, what);
    return;
  }
  checkSeconds(backoff, what);
}

function checkExponential(rule: object, what: string): void {
  const known = ['base', 'factor', 'max', 'jitter'];
  const unknown = Object.keys(rule).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(what, `${known.join(', ')} only`, unknown);
  const { base, factor = 2, max = 0, jitter = 0 } = rule as { readonly [key: string]: unknown };
  checkSeconds(base, `${what}, base`);
  checkSeconds(max, `${what}, max`);
  if (!isFinite(factor) || factor < 1) refuse(`${what}, factor`, 'a number of 1 or more', factor);
  if (!isFinite(jitter) || jitter < 0 || jitter > 1)
    refuse(`${what}, jitter`, 'a number from 0 to 1', jitter);
}

function checkSeconds(value: unknown, what: string): void {
  if (!isFinite(value) || value < 0) refuse(what, '0 or a positive finite number of seconds', value);
}

function isFinite(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function refuse(what: string, expected: string, came: unknown): never {
  throw new JobDeclarationException(`${what}: expected ${expected}, came ${describe(came)}.`);
}

import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 10;
/** Asking for random bytes costs the same for one id as for hundreds. */
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let next = pool.length;

/**
 * A job's id, 32 hexadecimal digits: the milliseconds since 1970 in 12, then 80 random bits. Jobs that are pushed at about
 * the same time are neighbours in an index of ids, which a database then keeps in a few pages, however many jobs wait.
 */
export function newId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const random = pool.toString('hex', next, (next += RANDOM_BYTES));
  return Date.now().toString(16).padStart(12, '0') + random;
}

import { createHash } from 'node:crypto';

/** A unique key is kept only as its SHA-256, 64 hexadecimal digits: fixed in length, and no data of the application. */
export function hashUniqueKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

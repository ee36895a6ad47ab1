import { createHash } from 'node:crypto';

/** The queue's statements are a bounded set; a text beyond this many is sent without a name. */
const MOST_NAMES = 500;

const names = new Map<string, string>();

/**
 * A short name for a statement, by which PostgreSQL keeps it prepared on a connection. It depends on the text alone, so
 * two copies of this library on one connection cannot give one name to two texts.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `kinetis_queue_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

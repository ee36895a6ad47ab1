import type { RequestPurpose, RequestReader } from './tcp-proxy.js';

const PARSE = /P[^]{4}(kinetis_queue_[0-9a-f]{24})\0([^\0]*)\0/g;
const BIND = /B[^]{4}[^\0]*\0(kinetis_queue_[0-9a-f]{24})\0/g;
/** A query without values that begins or ends a transaction: five bytes go before it in both protocols. */
const BOUNDARY = /^[^]{5}(begin|commit|rollback)\b/;
const WRITE = /\b(insert into|update|delete from) \S*kinetis_queue_/;
const PUSH = /\binsert into \S*kinetis_queue_jobs\b/;
/** What ends a delivery removes its row, and only what gives one back changes its deferrals. */
const SETTLEMENT = /\bdelete from \S*kinetis_queue_jobs\b|\bdeferrals = coalesce\(given\b/;

function purposeOf(texts: readonly string[]): RequestPurpose | null {
  if (texts.some((text) => SETTLEMENT.test(text))) return 'settlement';
  return texts.some((text) => PUSH.test(text)) ? 'push' : null;
}

/**
 * Tells in the bytes of PostgreSQL's and MySQL's protocols what changes the queue's tables. A statement that was prepared
 * is known by its name from then on.
 */
export function sqlRequests(): RequestReader {
  const prepared = new Map<string, string>();
  let inTransaction = false;
  let wrote = false;
  /** What the writes of this transaction are for. */
  let purpose: RequestPurpose | null = null;
  return (chunk) => {
    const bytes = chunk.toString('latin1');
    for (const [, name = '', text = ''] of bytes.matchAll(PARSE)) prepared.set(name, text);
    const bound = [...bytes.matchAll(BIND)].map(([, name = '']) => prepared.get(name) ?? '');
    const boundary = BOUNDARY.exec(bytes)?.[1];
    const texts = [bytes, ...bound];
    const writes = texts.some((text) => WRITE.test(text));
    const commits = boundary === 'commit' ? wrote : writes && !inTransaction;
    purpose = inTransaction ? (purpose ?? purposeOf(texts)) : purposeOf(texts);
    const kind = { writes, commits, purpose };
    if (boundary !== undefined) {
      inTransaction = boundary === 'begin';
      wrote = false;
    } else if (writes) wrote = inTransaction;
    return kind;
  };
}

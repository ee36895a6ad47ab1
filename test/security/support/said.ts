import { inspect } from 'node:util';

/** Everything that a log, a debugger or a crash reporter could make of a value: also what is hidden, also of its causes. */
export function everythingIn(value: unknown): string {
  const texts = [
    inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null }),
  ];
  const pending: unknown[] = [value];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each !== 'object' || each === null || seen.has(each)) continue;
    seen.add(each);
    try {
      texts.push(JSON.stringify(each));
    } catch {
      // A cycle: what it consists of is looked at by itself.
    }
    if (!(each instanceof Error)) continue;
    texts.push(String(each), each.message, String(each.stack));
    pending.push(each.cause, ...(each instanceof AggregateError ? each.errors : []));
  }
  return texts.join('\n');
}

/** A secret as it is, and as URLs, JSON, and base64 write it. */
export function spellingsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replaceAll('=', '')];
}

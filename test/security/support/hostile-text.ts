/** Pieces of text that escaping, quoting, or a protocol could stumble over. */
const PIECES: readonly string[] = [
  "'",
  '"',
  '`',
  '\\',
  '\\\\',
  "\\'",
  "''",
  "'';",
  '\0',
  '\\0',
  '\x1a',
  '\b',
  '\x7f',
  '\r\n',
  '\n',
  '?',
  '??',
  '\\?',
  '$1',
  '$$',
  '$q$',
  ':name',
  '::text',
  '@@version',
  '%s',
  '%',
  '_',
  '-- ',
  '#',
  '/*',
  '*/',
  '/*!50000 ',
  ';',
  '; drop table kinetis_queue_jobs; -- ',
  "' or '1'='1",
  "') returning *; --",
  '${x}',
  '{{x}}',
  '{',
  '}',
  '|',
  'q1|',
  ']]',
  '*3\r\n$3\r\nDEL\r\n',
  '\u2028',
  '\u2029',
  '\u00a5',
  '\u02bc',
  '\u2019',
  '\uff07',
  '\ufeff',
  '\uffff',
  '\u0085',
  '\u{1f600}',
  '\u{10ffff}',
  'e\u0301',
  '\u202e',
  '<script>',
  '&amp;',
  '../',
  '%00',
  '%27',
  "E'\\047'",
  "x'41'",
  "_utf8mb4'",
  "N'",
  'base64:',
  '\\x41',
  '\u001e',
  ' ',
  'a',
  '0',
];

/** A generator of numbers from 0 to 1 that a seed repeats. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` different texts of up to `most` pieces, each piece by itself first. */
export function hostileTexts(count: number, seed: number, most = 6): readonly string[] {
  const random = seeded(seed);
  const texts = new Set(PIECES);
  while (texts.size < count) {
    let text = '';
    for (let left = 1 + Math.floor(random() * most); left > 0; left -= 1) {
      text += PIECES[Math.floor(random() * PIECES.length)] ?? '';
    }
    texts.add(text);
  }
  return [...texts].slice(0, count);
}

/** The text, cut to so many bytes of UTF-8 at most, between two characters. */
export function truncated(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return bytes.toString();
  let end = maxBytes;
  // 10xxxxxx goes on a character that began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.toString('utf8', 0, end);
}

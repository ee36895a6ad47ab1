/** What differs from run to run: ids, ages, and spaces that align columns. */
const plain = (line) =>
  line
    .replace(/\b[0-9a-f]{32}\b/g, '<id>')
    .replace(/\b\d+ s\b/g, '<age>')
    .replace(/\s+/g, ' ')
    .trim();

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A line of the page as a pattern: "…" stands for anything. */
const patternOf = (line) => new RegExp(plain(line).split('…').map(escaped).join('.*'));

/** The first line of the page that an output does not have, in order, or null where it has all. */
export function missingLine(shown, output) {
  const printed = output.split('\n').map(plain);
  let from = 0;
  for (const line of shown.split('\n')) {
    const pattern = patternOf(line);
    const at = printed.findIndex((each, index) => index >= from && pattern.test(each));
    if (at === -1) return line;
    from = at + 1;
  }
  return null;
}

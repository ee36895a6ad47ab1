import type { Finding } from '../../contract/index.js';

/** A line for each finding, and below it what to do. */
export function findingLines(findings: readonly Finding[]): string {
  const levels = width(findings.map(({ level }) => level));
  const topics = width(findings.map(({ topic }) => topic));
  return findings
    .flatMap(({ level, topic, message, mend }) => [
      `${level.padEnd(levels)}  ${topic.padEnd(topics)}  ${message}`,
      ...(mend === null ? [] : [`${' '.repeat(levels + topics + 4)}mend: ${mend}`]),
    ])
    .join('\n');
}

function width(words: readonly string[]): number {
  return Math.max(0, ...words.map(({ length }) => length));
}

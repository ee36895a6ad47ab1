/** Which columns hold numbers, and so end at the right. */
export interface TableHead {
  readonly title: string;
  readonly align?: 'right';
}

/** A table for people: columns as wide as they need, two spaces between them, no space at the ends of lines. */
export function tableOf(head: readonly TableHead[], rows: readonly (readonly string[])[]): string {
  const titles = head.map(({ title }) => title);
  const widths = head.map((_, column) =>
    Math.max(...[titles, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return head[column]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [titles, ...rows].map(line).join('\n');
}

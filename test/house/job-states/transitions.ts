/** One row of the table of transitions in docs/job-states.md; `–` is outside of the queue. */
export interface TransitionRow {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly operations: readonly string[];
  readonly lines: readonly string[];
  readonly events: readonly string[];
}

/** The cells of the first table of a text, without its head. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  const lines = text.slice(text.indexOf('\n|') + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

export function transitions(page: string): readonly TransitionRow[] {
  const [, table = ''] = page.split('<!-- transitions -->');
  return cellsOf(table).map(([number, from = '', to = '', , operation, lines, event]) => ({
    number: Number(number),
    from,
    to,
    operations: codeIn(operation),
    lines: codeIn(lines),
    events: codeIn(event),
  }));
}

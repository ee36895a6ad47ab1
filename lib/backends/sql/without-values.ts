/** Where drivers note the statement with its values, or the row that was refused. */
const NOTES = ['sql', 'parameters', 'values', 'query', 'internalQuery', 'detail', 'where', 'cmd'];

/** The statement with its values behind the message of mariadb, and the piece of it that a syntax error quotes. */
const QUOTED = /\n?sql: [\s\S]*$| near '[\s\S]*' at line \d+/g;

/**
 * The same error without the values of its statement, which are a payload: it would be in the log of whoever logs the error
 * with its cause.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  for (const note of NOTES) Reflect.deleteProperty(error, note);
  for (const text of ['message', 'sqlMessage', 'stack'] as const) {
    const said: unknown = Reflect.get(error, text);
    if (typeof said !== 'string') continue;
    const value = text === 'stack' ? stackWithout(said) : said.replaceAll(QUOTED, '');
    if (value !== said) Object.defineProperty(error, text, { value, writable: true, configurable: true });
  }
  return error;
}

/** A stack begins with the message, and goes on with lines that a regular expression to the end would take along. */
function stackWithout(stack: string): string {
  const from = stack.search(/\n\s+at /);
  const frames = from === -1 ? '' : stack.slice(from);
  return (from === -1 ? stack : stack.slice(0, from)).replaceAll(QUOTED, '') + frames;
}

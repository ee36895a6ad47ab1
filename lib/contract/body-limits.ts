/** The longest body that is pushed, in bytes of UTF-8: what RabbitMQ takes unless it is told otherwise, and 16 times SQS's. */
export const MAX_BODY_BYTES = 16 * 1_024 * 1_024;

/**
 * The longest body that is parsed, in characters, or in bytes where it came as such. Longer than what is pushed by what
 * telemetry may add to the next job of a chain.
 */
export const MAX_STORED_BODY_LENGTH = MAX_BODY_BYTES + 64 * 1_024;

/**
 * How deep arrays and objects of a body may be nested. Far above what a push makes of 32 levels an argument, so that fields
 * which this code does not know survive; far below what ends a stack.
 */
export const MAX_BODY_LEVELS = 1_000;

const BACKSLASH = 0x5c;

/** Whether a JSON text nests deeper than `most` levels. Reads the text only: nothing is parsed. */
export function nestsDeeperThan(text: string, most: number): boolean {
  // Each level takes two characters. Nearly every text is told apart here or by its number of brackets.
  if (text.length <= 2 * most || !hasMoreThan(text, most)) return false;
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        levels += 1;
        if (levels > most) return true;
        break;
      case ']':
      case '}':
        levels -= 1;
        break;
    }
  }
  return false;
}

/** Whether more than `most` brackets are opened, those inside strings counted. */
function hasMoreThan(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** Where the string that begins at `start` ends; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at)) return at;
  }
  return text.length;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/**
 * How a body stands in a text column. Text is kept as it is. What a text column of some database would refuse or change
 * (bytes that are no UTF-8, NUL) stands as base64 behind a marker, and so does a text that begins with the marker
 * itself: nothing that is stored is ever taken for something else.
 */
const MARKER = 'base64:';
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

function isPlain(text: string): boolean {
  return !text.startsWith(MARKER) && !text.includes('\0');
}

// oxlint-disable-next-line no-control-regex -- every character that an ASCII column holds, NUL left out above
const ASCII = /^[\x01-\x7f]*$/;

export interface BodyOptions {
  /** The database's encoding lacks characters, so that only ASCII stands as it is. */
  readonly asciiOnly?: boolean;
  /** A character that the stored text must not have. */
  readonly without?: string;
}

export function encodeStoredBody(
  body: string | Uint8Array,
  { asciiOnly = false, without }: BodyOptions = {},
): string {
  const text = typeof body === 'string' ? body : textOf(body);
  if (text !== null && isPlain(text) && (!asciiOnly || ASCII.test(text))) {
    if (without === undefined || !text.includes(without)) return text;
  }
  return MARKER + Buffer.from(typeof body === 'string' ? Buffer.from(body) : body).toString('base64');
}

/** Text for people (an error's message) as a column can hold it: without NUL, and escaped where only ASCII is kept. */
export function printable(text: string, asciiOnly = false): string {
  const whole = text.replaceAll('\0', '\uFFFD');
  if (!asciiOnly || ASCII.test(whole)) return whole;
  return whole.replace(/[^ -~\s]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The body's text, or its bytes where they are no text. What was not written by `encodeStoredBody` comes back as it is. */
export function decodeStoredBody(stored: unknown): string | Uint8Array {
  if (typeof stored === 'string') return stored.startsWith(MARKER) ? decodeMarked(stored) : stored;
  if (stored instanceof Uint8Array) return stored;
  return String(stored);
}

function decodeMarked(stored: string): string | Uint8Array {
  const encoded = stored.slice(MARKER.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return stored;
  return textOf(bytes) ?? bytes;
}

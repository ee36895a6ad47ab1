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

export function encodeStoredBody(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : textOf(body);
  if (text !== null && isPlain(text)) return text;
  return MARKER + Buffer.from(typeof body === 'string' ? Buffer.from(body) : body).toString('base64');
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

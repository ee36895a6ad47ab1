import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const BOARD_USER = 'board';

/** Lets nobody pass without the name and the password (HTTP Basic, RFC 7617), whatever the method and the path. */
export function passwordGuard(password: string) {
  const expected = digest(`${BOARD_USER}:${password}`);
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const [, encoded = ''] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    // Digests are of one length, so that comparing takes the same time whatever was sent.
    if (timingSafeEqual(digest(Buffer.from(encoded, 'base64').toString()), expected)) return next();
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Queues", charset="UTF-8"' });
    response.end('A user name and a password are needed.\n');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

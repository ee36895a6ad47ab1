import { ConnectionFailed, QueueException, ServerRefused } from '../../contract/index.js';
import { hostAndPort, NoConnection } from './no-connection.js';
import { NoAnswer } from './within.js';

/** Reply codes of AMQP 0-9-1 that close a channel. */
export const NOT_FOUND = 404;
export const PRECONDITION_FAILED = 406;
export const ACCESS_REFUSED = 403;
/** It closes the connection as well. */
export const INTERNAL_ERROR = 541;

/** The code that the broker closed a channel or a connection with. */
export function replyCodeOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

/** Where the broker closes a connection that is being opened, amqplib names the frame alone. */
const CLOSED_AT_OPEN = /OpenOk; got <ConnectionClose/;

/** What the broker, or the socket, says of an error: it names queues and settings, never a payload. */
export function brokerText(error: unknown): string {
  if (!(error instanceof Error)) return 'connection closed';
  // How amqplib quotes the broker.
  const [, said] = /with message "(.*)"$/s.exec(error.message) ?? [];
  if (said !== undefined) return said;
  if (error instanceof NoAnswer) return error.message;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (CLOSED_AT_OPEN.test(error.message)) {
    return 'connection closed over its virtual host: is it there, and may the user use it?';
  }
  if (/^(Frame size|Invalid frame)/.test(error.message)) return 'something answers that speaks no AMQP 0-9-1';
  return /ETIMEDOUT/.test(error.message) ? 'ETIMEDOUT' : 'connection closed';
}

/** A mistake of the code, which no connection is to blame for. */
function isDefect(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Whether a broker was reached that did not let the user in. */
function isTurnedAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.startsWith('Handshake terminated by server') || CLOSED_AT_OPEN.test(error.message);
}

/** No connection: what each host said, and whose mistake that may be. */
function connectionFailed({ tried, cause }: NoConnection, action: string): ConnectionFailed {
  const said = tried
    .map(({ address, reason }) => `${hostAndPort(address)}: ${brokerText(reason)}`)
    .join('; ');
  if (tried.some(({ reason }) => isTurnedAway(reason))) {
    return new ConnectionFailed(
      `${action}: expected RabbitMQ to open a connection, came a refusal (${said}). Nothing was stored: check that ` +
        'address, user, password and virtual host are right.',
      { cause },
    );
  }
  return new ConnectionFailed(
    `${action}: expected a connection to RabbitMQ, came none (${said}). Nothing was stored: try again; if it stays, ` +
      'check that the broker runs and that its address is right.',
    { cause },
  );
}

/**
 * What an error of the client library is to the layers above, where nothing was stored or settled by the request; a
 * defect is left as it is. `action` begins the message, such as "reserve()".
 */
export function translateError(error: unknown, action: string): Error {
  if (error instanceof QueueException || isDefect(error)) return error;
  if (error instanceof NoConnection) {
    return isDefect(error.cause) ? error.cause : connectionFailed(error, action);
  }
  const code = replyCodeOf(error);
  if (code === null) {
    return new ConnectionFailed(
      `${action}: expected an answer of RabbitMQ, came none (${brokerText(error)}). Nothing was stored: try again; if ` +
        'it stays, check that the broker runs.',
      { cause: error },
    );
  }
  const advice =
    code === ACCESS_REFUSED
      ? 'docs/rabbitmq.md lists the permissions that the user needs'
      : 'try again after a pause, as a worker does by itself';
  return new ServerRefused(
    `${action}: expected RabbitMQ to do it, came a refusal (${brokerText(error)}). Nothing was changed: ${advice}.`,
    { cause: error },
  );
}

/**
 * The root of every error that this package raises. `code` is stable: match on it, not on the message.
 *
 * @publicApi
 */
export abstract class QueueException extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * What a board's user is told in place of an answer. It reaches a browser through Bull Board, which takes its
 * `statusCode` and `message`, and never the application.
 */
export class BoardError extends Error {
  readonly code = 'QUEUE_BOARD_REFUSED';

  constructor(
    message: string,
    readonly statusCode = 400,
  ) {
    super(message);
    this.name = 'BoardError';
  }
}

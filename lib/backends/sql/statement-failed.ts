import type { SqlFailure } from './dialects/sql-dialect.js';

/** A statement was sent and came back with an error, and what that means. The driver's error is the cause. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';

  constructor(
    readonly kind: SqlFailure,
    override readonly cause: unknown,
  ) {
    super(`The database answered an error (${kind}).`);
  }
}

/** Whether it may be the fault of one entry of a batch, of which nothing was applied. */
export function isDefect(error: unknown): boolean {
  return error instanceof StatementFailed && error.kind === 'defect';
}

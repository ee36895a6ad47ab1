/**
 * No connection was to be had: `held` when the application has the only one, `timeout` when none was free or opened in
 * time, `lost` when none can be opened.
 */
export class AcquireFailed extends Error {
  override readonly name = 'AcquireFailed';

  constructor(
    readonly reason: 'held' | 'timeout' | 'lost',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether it was waited in vain for a connection that others had: the work never ran, and may be tried again. */
export function waitedInVain(error: unknown): error is AcquireFailed {
  return error instanceof AcquireFailed && error.reason !== 'lost';
}

/** No connection was to be had: `timeout` when all were in use for too long, `lost` when none can be opened. */
export class AcquireFailed extends Error {
  override readonly name = 'AcquireFailed';

  constructor(
    readonly reason: 'timeout' | 'lost',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * An attempt of a request went wrong. It stands in for the SDK's own error, by which the SDK would send the request
 * again. `sent`: its bytes were handed to the HTTP client, so that the service may have applied it.
 */
export class RequestFailed extends Error {
  /** The SDK corrects its clock by these, for the next request. */
  readonly $response: unknown;
  readonly ServerTime: unknown;

  constructor(
    readonly sent: boolean,
    /** Not the `cause`: the SDK looks there too. */
    readonly failure: unknown,
  ) {
    super('A request to SQS failed.');
    const { $response, ServerTime } = Object(failure);
    this.$response = $response;
    this.ServerTime = ServerTime;
  }
}

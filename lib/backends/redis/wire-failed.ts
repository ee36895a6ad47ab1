/** No answer came to a command. `sent`: its bytes were handed to a socket, so that the server may have applied it. */
export class WireFailed extends Error {
  constructor(
    readonly sent: boolean,
    options: ErrorOptions,
  ) {
    super(sent ? 'A command was sent and not answered.' : 'A command was not sent.', options);
  }
}

/** How a server goes on that does not know a command, or forbids it. */
const ECHO = /,? with args beginning with:[^\n]*/g;

/** Servers, and proxies before them, repeat the arguments of a command that they do not know. */
function withoutEcho(error: Error): void {
  if (!error.message.includes('with args beginning with')) return;
  const message = error.message.replaceAll(ECHO, '');
  const stack = error.stack?.replaceAll(ECHO, '');
  Object.defineProperties(error, {
    message: { value: message, writable: true, configurable: true },
    stack: { value: stack, writable: true, configurable: true },
  });
}

/**
 * The same error without the arguments of its command: ioredis notes them on what a server answers, and they are a
 * payload or a password, which would be in the log of whoever logs the error with its cause.
 */
export function withoutArguments(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = Reflect.get(inner, 'lastNodeError')) {
    Reflect.deleteProperty(inner, 'command');
    withoutEcho(inner);
  }
  return error;
}

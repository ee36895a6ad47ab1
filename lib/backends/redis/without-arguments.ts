/**
 * The same error without the arguments of its command: ioredis notes them on what a server answers, and they are a
 * payload or a password, which would be in the log of whoever logs the error with its cause.
 */
export function withoutArguments(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = Reflect.get(inner, 'lastNodeError')) {
    Reflect.deleteProperty(inner, 'command');
  }
  return error;
}

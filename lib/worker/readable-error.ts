/**
 * What a job threw, or an error in its place where nothing can be asked of it: a proxy may throw at `instanceof` itself,
 * and one such value must not end a worker.
 */
export function readableError(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error);
    return thrown;
  } catch {
    return new Error('The job threw a value that cannot be read.');
  }
}

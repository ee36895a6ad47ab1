/** Resolves as soon as `holds` does; after the deadline rejects and says what it waited for. */
export async function eventually(what: string, holds: () => boolean, deadlineMs = 5_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited ${deadlineMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A promise and the means to settle it. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
} {
  let settle: { resolve: (value: T) => void; reject: (error: unknown) => void } | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (error) => settle?.reject(error),
  };
}

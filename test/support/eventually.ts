/** Waits until `found` answers something but undefined or false; fails, saying what was waited for, at the deadline. */
export async function waitFor<T>(
  what: string,
  found: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 20_000,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`Waited ${deadlineMs} ms for ${what}; it did not come.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves as soon as `holds` does; after the deadline rejects and says what it waited for. */
export async function eventually(what: string, holds: () => boolean, deadlineMs = 5_000): Promise<void> {
  await waitFor(what, holds, deadlineMs);
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

/** The backend took longer than it may. */
export class HealthTimeout extends Error {
  constructor(readonly timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms.`);
    this.name = 'HealthTimeout';
  }
}

/**
 * What `ask` resolves with, or `HealthTimeout`. The timer is gone when this settles; an answer that comes too late is
 * ignored, also when it is an error.
 */
export async function within<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HealthTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}

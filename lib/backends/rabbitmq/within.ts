/** The broker did not answer in time; it may do so yet. */
export class NoAnswer extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/**
 * The answer, or a rejection with `NoAnswer` after so many milliseconds. What comes later than that, and what nobody
 * else then has, is given to `late`.
 */
export function within<T>(
  timeoutMs: number,
  answer: Promise<T>,
  late: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      reject(new NoAnswer(timeoutMs));
    }, timeoutMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        if (over) late(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

import { JobMiddlewareException } from '../contract/index.js';
import type { DeliveryScope, JobDelivery, JobMiddleware, ProviderRef } from '../jobs/index.js';

/**
 * Runs `work` within the middleware, the first of the list outermost. Settles only when everything within has: a
 * middleware that does not wait for `next()` ends with it all the same, and its outcome is then that of `next()`.
 */
export async function throughMiddleware(
  middleware: readonly ProviderRef[],
  scope: DeliveryScope,
  delivery: JobDelivery,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const [outermost, ...within] = middleware;
  if (outermost === undefined) return work();
  const instance = (await scope.resolve(outermost)) as JobMiddleware;
  const next = new Next(outermost.name, () => throughMiddleware(within, scope, delivery, work));
  let returned: unknown;
  try {
    returned = await instance.use(delivery, () => next.call());
  } catch (error) {
    await next.settled;
    throw error;
  }
  return next.outcome(returned);
}

/** What one middleware calls to go on. */
class Next {
  readonly #middleware: string;
  readonly #work: () => Promise<unknown>;
  #running: Promise<unknown> | null = null;
  #ended = false;

  constructor(middleware: string, work: () => Promise<unknown>) {
    this.#middleware = middleware;
    this.#work = work;
  }

  call(): Promise<unknown> {
    if (this.#running !== null) {
      return Promise.reject(
        new JobMiddlewareException(
          `${this.#middleware}.use(): expected one call of next(), came a second. A job runs once in a delivery.`,
        ),
      );
    }
    const running = this.#work();
    this.#running = running;
    const end = (): void => void (this.#ended = true);
    running.then(end, end);
    return running;
  }

  /** Resolves when what was begun has ended. Never rejects. */
  get settled(): Promise<unknown> {
    return this.#running?.catch(() => undefined) ?? Promise.resolve();
  }

  /** The outcome once the middleware has ended: its own, where it could have known that of `next()`. */
  outcome(returned: unknown): unknown {
    if (this.#running === null) {
      throw new JobMiddlewareException(
        `${this.#middleware}.use(): expected a call of next(), which runs the job; it ended without one. Call next() and ` +
          'await it, or throw DeferJobException or FailJobException where the job is not to run.',
      );
    }
    return this.#ended ? returned : this.#running;
  }
}

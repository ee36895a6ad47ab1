import type { JobDelivery } from './job-delivery.js';

/**
 * Runs around the delivery of every job: its scope, its rebuild and its `handle()`. A provider of the application, listed
 * in `KinetisQueueModule.forRoot({ middleware: [ThatClass] })`; the first of the list is the outermost.
 *
 * @publicApi
 */
export interface JobMiddleware {
  /**
   * Calls `next()` once and waits for it. `next()` rejects with what the job, or a middleware within, threw; what this
   * method throws is the job's failure, and an error that it keeps for itself makes the job a success. One that ends
   * without calling `next()` is the job's failure too.
   */
  use(delivery: JobDelivery, next: () => Promise<unknown>): Promise<unknown>;
}

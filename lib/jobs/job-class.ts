/** What can be pushed: an instance whose class has a `handle` method. */
export interface JobInstance {
  // Parameters of a handler are any providers at all; `unknown[]` would refuse every real handler.
  // oxlint-disable-next-line typescript/no-explicit-any
  handle(...dependencies: any[]): unknown;
}

/** A job class as a value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type JobClass<T extends JobInstance = JobInstance> = new (...args: any[]) => T;

import 'reflect-metadata';
import { JobDeclarationException } from '../contract/index.js';

/** How the method `failed` of a job gets what it needs. */
export interface OnJobFailedOptions {
  /** Tokens for its parameters after the error, in order, for toolchains that emit no types. */
  readonly inject?: readonly unknown[];
}

const MARK = 'kinetis-queue:on-job-failed';

/**
 * Marks the method `failed(error, ...providers)` of a job class. A worker calls it after the job was given up on and the
 * backend has accepted that: at most once, with providers resolved as for `handle()`. What it throws is only reported.
 * It is not called for a job that today's code cannot rebuild, nor where a push runs the job itself (sync).
 *
 * @throws JobDeclarationException on any other method
 * @publicApi
 */
export function OnJobFailed(options: OnJobFailedOptions = {}) {
  return (prototype: object, method: 'failed', _descriptor: PropertyDescriptor): void => {
    const isStatic = typeof prototype === 'function';
    if (String(method) !== 'failed' || isStatic) {
      const owner = isStatic ? prototype.name : prototype.constructor.name;
      throw new JobDeclarationException(
        `Class ${owner}: @OnJobFailed() is on ${isStatic ? 'the static ' : ''}${String(method)}(). A worker calls the ` +
          'method named failed of an instance. Name it so, or take @OnJobFailed() away.',
      );
    }
    Reflect.defineMetadata(MARK, options, prototype);
  };
}

/** What `@OnJobFailed()` was given on the class or a superclass of it, null where there is none. */
export function onJobFailedOptions(prototype: object): OnJobFailedOptions | null {
  return (Reflect.getMetadata(MARK, prototype) as OnJobFailedOptions | undefined) ?? null;
}

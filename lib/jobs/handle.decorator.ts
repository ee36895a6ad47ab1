import { JobDeclarationException } from '../contract/index.js';

/**
 * Marks the method `handle` of a job class. A decorator on the method is what makes TypeScript emit the types of its
 * parameters, by which they are injected.
 *
 * @throws JobDeclarationException on any other method
 * @publicApi
 */
export function Handle() {
  return (prototype: object, method: 'handle', _descriptor: PropertyDescriptor): void => {
    const isStatic = typeof prototype === 'function';
    if (String(method) === 'handle' && !isStatic) return;
    const owner = isStatic ? prototype.name : prototype.constructor.name;
    throw new JobDeclarationException(
      `Class ${owner}: @Handle() is on ${isStatic ? 'the static ' : ''}${String(method)}(). A worker calls the method ` +
        'named handle of an instance. Name it so, or take @Handle() away.',
    );
  };
}

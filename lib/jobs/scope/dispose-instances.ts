import type { MadeInstance } from './made-instances.js';
import type { ProviderIndex } from './provider-index.js';

/**
 * Disposes instances through `Symbol.asyncDispose`, else `Symbol.dispose`: dependants first, one after another, each
 * once. Every one is tried. Rejects with the only error, or with an AggregateError.
 */
export async function disposeInstances(made: readonly MadeInstance[], index: ProviderIndex): Promise<void> {
  const disposable = made.filter(({ instance }) => isDisposable(instance));
  const ordered =
    disposable.length < 2
      ? disposable
      : disposable.toSorted((a, b) => index.rank(b.wrapper) - index.rank(a.wrapper));
  const errors: unknown[] = [];
  // One instance may stand under several tokens (an alias, a factory that hands it on).
  for (const instance of new Set(ordered.map((each) => each.instance))) {
    try {
      await dispose(instance);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) {
    throw new AggregateError(errors, `${errors.length} providers of the delivery failed to be disposed.`);
  }
}

function isDisposable(instance: unknown): instance is object {
  const holdsMembers = (typeof instance === 'object' && instance !== null) || typeof instance === 'function';
  return holdsMembers && (Symbol.asyncDispose in instance || Symbol.dispose in instance);
}

async function dispose(instance: unknown): Promise<void> {
  const { [Symbol.asyncDispose]: asyncDispose, [Symbol.dispose]: syncDispose } = instance as Partial<
    AsyncDisposable & Disposable
  >;
  if (asyncDispose !== undefined) await asyncDispose.call(instance as AsyncDisposable);
  else syncDispose?.call(instance as Disposable);
}

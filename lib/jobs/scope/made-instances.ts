import { setImmediate as turn } from 'node:timers/promises';
import type { ContextId } from '@nestjs/core';
import {
  dependenciesOf,
  hostsByContext,
  type InstanceHost,
  isStatic,
  type ProviderWrapper,
  transientHostsByContext,
} from './nest-container.js';
import type { RecordedContext } from './recorded-context.js';

export interface MadeInstance {
  readonly wrapper: ProviderWrapper;
  readonly instance: unknown;
}

/** What was made for this context and no other, in the order in which it was asked for. */
export function madeInstances(context: RecordedContext): readonly MadeInstance[] {
  return hostsIn(context)
    .filter(({ wrapper, host }) => host.isResolved === true && !isBorrowed(host.instance, wrapper, context))
    .map(({ wrapper, host }) => ({ wrapper, instance: host.instance }));
}

/**
 * Resolves when nothing is being made in this context any more. A resolution fails at the first error, while what
 * stands beside the failing provider is still on its way; and Nest before 11.2 finishes a cycle (`forwardRef`) after it
 * handed out what asked for it.
 */
export async function settledContext(context: RecordedContext): Promise<void> {
  const awaited = new Set<Promise<unknown>>();
  let idle = false;
  for (;;) {
    const unfinished = hostsIn(context).filter(({ host }) => host.isResolved !== true);
    if (unfinished.length === 0) return;
    const pending = unfinished
      .map(({ host }) => (host.isPending === true ? host.donePromise : undefined))
      .filter((done) => done !== undefined && !awaited.has(done));
    if (pending.length === 0) {
      // A placeholder whose making has yet to begin: it begins in this turn of the event loop, or never.
      if (idle) return;
      await turn();
    }
    idle = pending.length === 0;
    for (const done of pending) if (done !== undefined) awaited.add(done);
    await Promise.all(pending);
  }
}

/**
 * Takes the context out of the container. Its maps hold contexts weakly, but a weak map only shrinks when entries are
 * deleted: left to the collector, its tables stay as large as a burst of deliveries made them.
 */
export function forgetContext(context: RecordedContext): void {
  const own = context.ownProviders();
  for (const wrapper of own) {
    hostsByContext(wrapper)?.delete(context.id);
    if (!wrapper.isTransient) continue;
    for (const consumer of own) transientHostsByContext(wrapper, consumer)?.delete(context.id);
  }
}

interface HostIn {
  readonly wrapper: ProviderWrapper;
  readonly host: InstanceHost;
}

function hostsIn(context: RecordedContext): readonly HostIn[] {
  const own = context.ownProviders().filter((wrapper) => !isStatic(wrapper));
  const found: HostIn[] = [];
  const add = (wrapper: ProviderWrapper, hosts: WeakMap<ContextId, InstanceHost> | undefined): void => {
    const host = hosts?.get(context.id);
    if (host !== undefined) found.push({ wrapper, host });
  };
  for (const wrapper of own) {
    add(wrapper, hostsByContext(wrapper));
    if (!wrapper.isTransient) continue;
    // Only consumers in this context count: a transient instance made for a durable one lives as long as that.
    for (const consumer of own) add(wrapper, transientHostsByContext(wrapper, consumer));
  }
  return found;
}

/** A factory may hand on what it was given: the application's or a tenant's instance under another token. */
function isBorrowed(instance: unknown, wrapper: ProviderWrapper, context: RecordedContext): boolean {
  if (!wrapper.isFactory) return false;
  return dependenciesOf(wrapper).some((dependency) => {
    if (isStatic(dependency)) return dependency.instance === instance;
    const parent = context.parentOf(dependency);
    return parent !== null && hostsByContext(dependency)?.get(parent)?.instance === instance;
  });
}

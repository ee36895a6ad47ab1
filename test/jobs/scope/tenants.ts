import {
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';

/** A strategy as applications write it for HTTP: a sub-tree per value of a header. */
export class TenantStrategy implements ContextIdStrategy<{ headers: Record<string, string> }> {
  readonly #tenants = new Map<string, ContextId>();

  attach(contextId: ContextId, request: { headers: Record<string, string> }) {
    const tenant = request.headers['x-tenant-id'];
    if (tenant === undefined) throw new Error('no tenant');
    const subTree = this.#tenants.get(tenant) ?? ContextIdFactory.create();
    this.#tenants.set(tenant, subTree);
    return {
      resolve: (component: HostComponentInfo) => (component.isTreeDurable ? subTree : contextId),
      payload: { tenant },
    };
  }
}

/** A strategy that separates nothing. */
export const noSubTrees: ContextIdStrategy = { attach: (contextId) => () => contextId };

/** One that opens, and throws when the injector asks for a durable provider. */
export const throwingInResolution: ContextIdStrategy = {
  attach: (contextId) => (component) => {
    if (component.isTreeDurable) throw new Error('strategy failed in resolution');
    return contextId;
  },
};

/** One that throws when a delivery's context is opened. */
export const throwingAtOpen: ContextIdStrategy = {
  attach: () => {
    throw new Error('strategy failed to attach');
  },
};

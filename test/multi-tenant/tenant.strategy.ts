import {
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import { TENANT } from './current-tenant.js';

/** What durable providers of a tenant get as REQUEST. */
export interface TenantPayload {
  readonly tenant: string;
}

/** A request of HTTP, or a delivery: both have headers. */
interface WithHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Durable providers are made once for each tenant, all others for each request or delivery. */
export class TenantStrategy implements ContextIdStrategy<WithHeaders> {
  readonly #trees = new Map<string, ContextId>();

  constructor(private readonly tenants: ReadonlySet<string>) {}

  attach(contextId: ContextId, { headers }: WithHeaders) {
    const tenant = headers[TENANT];
    // Nobody's: nothing is kept, and durable providers are made as if they were not durable.
    if (typeof tenant !== 'string' || !this.tenants.has(tenant)) return () => contextId;
    const tree = this.#trees.get(tenant) ?? ContextIdFactory.create();
    this.#trees.set(tenant, tree); // for good: a name that nobody checked would stay in memory
    const payload: TenantPayload = { tenant };
    return {
      resolve: ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? tree : contextId),
      payload,
    };
  }
}

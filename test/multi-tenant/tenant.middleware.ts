import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { JobDelivery, JobMiddleware } from '@kinetis/nestjs-queue';
import { currentTenant, TENANT } from './current-tenant.js';

interface TenantRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Around each request of the web server. In earnest, take the tenant from who is logged in, not from a header. */
@Injectable()
export class RequestTenant implements NestMiddleware<TenantRequest> {
  use({ headers }: TenantRequest, _response: unknown, next: () => void): void {
    const tenant = headers[TENANT];
    if (typeof tenant === 'string') currentTenant.run(tenant, next);
    else next();
  }
}

/** Around each delivery of the worker: what its job pushes is its tenant's too. */
@Injectable()
export class DeliveryTenant implements JobMiddleware {
  use({ metadata }: JobDelivery, next: () => Promise<unknown>): Promise<unknown> {
    const tenant = metadata[TENANT];
    return tenant === undefined ? next() : currentTenant.run(tenant, next);
  }
}

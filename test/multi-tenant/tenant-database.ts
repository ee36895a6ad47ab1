import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { TenantPayload } from './tenant.strategy.js';

/** A pool of connections to the database of one tenant. */
@Injectable({ scope: Scope.REQUEST, durable: true })
export class TenantDatabase {
  static opened = 0;
  readonly tenant: string;
  readonly rows: string[] = [];

  constructor(@Inject(REQUEST) request: Partial<TenantPayload>) {
    // A job without a tenant gets the delivery itself, of which `tenant` is no property.
    if (request.tenant === undefined) throw new Error('Expected the job of a tenant, came one of nobody.');
    this.tenant = request.tenant;
    TenantDatabase.opened += 1;
  }
}

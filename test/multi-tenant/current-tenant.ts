import { AsyncLocalStorage } from 'node:async_hooks';

/** The header of a request, and the key of a job's metadata, that name the tenant. */
export const TENANT = 'x-tenant-id';

/** Whose request, or whose job, is being served. */
export const currentTenant = new AsyncLocalStorage<string>();

/** For `captureMetadata`: asked at each push. Outside of any request there is no tenant, and no key. */
export function captureTenant(): Record<string, string> {
  const tenant = currentTenant.getStore();
  return tenant === undefined ? {} : { [TENANT]: tenant };
}

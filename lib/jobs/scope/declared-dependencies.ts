import type { InjectionToken } from '@nestjs/common';
import { dependenciesOf, type ProviderWrapper } from './nest-container.js';
import type { ProviderIndex } from './provider-index.js';

/**
 * What a provider depends on: as Nest looked it up, or, for one that it has not looked up yet (11.2 leaves request-scoped
 * providers until their first use), as its class or factory declares it. Providers of the same module come first, else
 * any of the token: good enough for a warning.
 */
export function declaredDependencies(
  wrapper: ProviderWrapper,
  index: ProviderIndex,
): readonly ProviderWrapper[] {
  const known = dependenciesOf(wrapper);
  if (known.length > 0) return known;
  return declaredTokens(wrapper).flatMap((token) => {
    const found = index.find(token);
    const own = found.filter(({ host }) => host === wrapper.host);
    return own.length > 0 ? own : found.slice(0, 1);
  });
}

function declaredTokens({ inject, metatype }: ProviderWrapper): readonly InjectionToken[] {
  if (Array.isArray(inject)) return inject.map(tokenOf);
  if (typeof metatype !== 'function') return [];
  const parameters = [...(metadata(metatype, 'design:paramtypes') as InjectionToken[])];
  for (const entry of metadata(metatype, 'self:paramtypes')) {
    const { index, param } = entry as { readonly index: number; readonly param: unknown };
    parameters[index] = tokenOf(param);
  }
  const properties = metadata(metatype, 'self:properties_metadata').map((entry) =>
    tokenOf((entry as { readonly type: unknown }).type),
  );
  return [...parameters, ...properties].filter((token) => token !== undefined);
}

function metadata(target: object, key: string): readonly unknown[] {
  const found: unknown = Reflect.getMetadata(key, target);
  return Array.isArray(found) ? found : [];
}

/** The token of `{ token, optional }` or `forwardRef(() => token)`, or what is one already. */
function tokenOf(entry: unknown): InjectionToken {
  if (typeof entry === 'object' && entry !== null) {
    if ('forwardRef' in entry && typeof entry.forwardRef === 'function') return entry.forwardRef();
    if ('token' in entry) return entry.token as InjectionToken;
  }
  return entry as InjectionToken;
}

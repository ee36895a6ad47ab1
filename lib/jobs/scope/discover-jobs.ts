import type { ModulesContainer } from '@nestjs/core';
import { JobDeclarationException } from '../../contract/index.js';
import type { JobDefinition } from '../job-definition.js';
import { durabilityWarnings } from './durability-warnings.js';
import { HandlerPlan } from './handler-plan.js';
import { type JobListing, listingOf } from './job-listing.js';
import { HANDLE } from './job-method.js';
import type { NestModule, ProviderWrapper } from './nest-container.js';
import { ProviderIndex } from './provider-index.js';
import { unresolvableParameters } from './unresolvable-parameters.js';

/** The jobs that an application lists, each once. */
export interface DiscoveredJobs {
  readonly definitions: readonly JobDefinition[];
  readonly plans: readonly HandlerPlan[];
  /** For the log: what will work otherwise than it looks. */
  readonly warnings: readonly string[];
}

interface Found {
  readonly listing: JobListing;
  readonly wrapper: ProviderWrapper;
  readonly host: NestModule;
}

/**
 * Finds what `provideJobs` listed in any module of the application and plans it. Call it when all providers were made
 * (`onModuleInit` or later). Throws one `UnresolvableJobParameterException` for the parameters of all jobs that name no
 * provider, and `JobDeclarationException` for a class that two modules list.
 */
export function discoverJobs(modules: ModulesContainer): DiscoveredJobs {
  const found = oncePerClass(findListings(modules));
  const problems = found.flatMap(({ listing }) => listing.problems);
  if (problems.length > 0) throw unresolvableParameters(problems);
  const definitions = found.flatMap(({ listing }) => (listing.method === HANDLE ? [listing.definition] : []));
  return {
    definitions,
    plans: found.map(({ listing, wrapper, host }) => new HandlerPlan(listing, wrapper, host)),
    warnings: [
      ...definitions.flatMap(({ args }) => args.flatMap(({ warning }) => warning ?? [])),
      ...durabilityWarnings(
        found.map(({ wrapper }) => wrapper),
        new ProviderIndex(modules),
      ),
    ],
  };
}

function findListings(modules: ModulesContainer): Found[] {
  const found: Found[] = [];
  for (const host of modules.values()) {
    for (const wrapper of host.providers.values()) {
      const listing = listingOf(wrapper.metatype);
      if (listing !== null) found.push({ listing, wrapper, host });
    }
  }
  return found;
}

function oncePerClass(found: readonly Found[]): readonly Found[] {
  const byClass = new Map<JobDefinition['target'], Found[]>();
  for (const each of found) {
    const { target } = each.listing.definition;
    const known = byClass.get(target) ?? [];
    const [first = each] = known;
    if (first.host === each.host) {
      const again = known.some(({ listing }) => listing.method === each.listing.method);
      if (!again) byClass.set(target, [...known, each]);
    } else {
      throw new JobDeclarationException(
        `Expected one module to list job ${target.name}; ${first.host.name} and ${each.host.name} both do. Its ` +
          'handle() sees the providers of the module that lists it: keep provideJobs in one, and import that module.',
      );
    }
  }
  return [...byClass.values()].flat();
}

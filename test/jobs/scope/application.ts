import type { DynamicModule, INestApplicationContext, ModuleMetadata, Provider } from '@nestjs/common';
import { ContextIdFactory, ModuleRef, ModulesContainer, NestFactory } from '@nestjs/core';
import { afterEach } from 'vitest';
import { type JobBody, newHeader, QueuedJob } from '../../../lib/contract/index.js';
import { type JobClass, type JobDefinition, JobDelivery } from '../../../lib/jobs/index.js';
import {
  discoverJobs,
  type DiscoveredJobs,
  jobDeliveryProvider,
  listJob,
  NestDeliveryScopes,
} from '../../../lib/jobs/scope/index.js';

/** A definition as the decorators would make it, of a class that has none of them. */
export function define(target: JobClass, changes: Partial<JobDefinition> = {}): JobDefinition {
  return {
    target,
    name: target.name,
    explicitName: false,
    aliases: [],
    queue: 'default',
    connection: null,
    maxAttempts: null,
    backoff: 0,
    priority: 0,
    leaseSeconds: null,
    timeoutSeconds: null,
    args: [],
    inject: null,
    ...changes,
  };
}

/** What a feature module says for its jobs. */
export function jobs(...targets: JobClass[]): Provider[] {
  return targets.map((target) => listJob(define(target)));
}

export function aModule(
  name: string,
  metadata: ModuleMetadata & { readonly global?: boolean },
): DynamicModule {
  const module = class {
    readonly label = name;
  };
  Object.defineProperty(module, 'name', { value: name });
  return { module, ...metadata };
}

/** The part of the queue's module that scopes need. */
const queueModule = aModule('QueueModule', {
  global: true,
  providers: [jobDeliveryProvider],
  exports: [jobDeliveryProvider],
});

let deliveries = 0;

export function aDelivery(job: JobClass, metadata: Readonly<Record<string, string>> = {}): JobDelivery {
  deliveries += 1;
  const body: JobBody = {
    id: deliveries.toString(16).padStart(32, '0'),
    pushedAt: '2026-01-01T00:00:00.000Z',
    class: job.name,
    args: {},
    maxAttempts: null,
    metadata,
    chain: [],
  };
  const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });
  return new JobDelivery({
    job: new QueuedJob({ queue: 'default', handle: deliveries, header, body, leaseSeconds: null }),
    connection: 'default',
    maxAttempts: 1,
    signal: new AbortController().signal,
    extend: () => Promise.resolve(),
  });
}

/** A started application with its jobs planned. */
export class Application {
  readonly context: INestApplicationContext;
  readonly modules: ModulesContainer;
  readonly discovered: DiscoveredJobs;
  readonly scopes: NestDeliveryScopes;

  constructor(context: INestApplicationContext) {
    this.context = context;
    this.modules = context.get(ModulesContainer);
    this.discovered = discoverJobs(this.modules);
    this.scopes = new NestDeliveryScopes(this.modules, context.get(ModuleRef), this.discovered.plans);
  }

  open(job: JobClass, metadata: Readonly<Record<string, string>> = {}) {
    const definition = this.discovered.definitions.find((each) => each.target === job) ?? define(job);
    return this.scopes.open(definition, aDelivery(job, metadata));
  }

  /** A whole delivery: handled and disposed. Answers what `handle()` returned. */
  async deliver<T = unknown>(job: JobClass, metadata: Readonly<Record<string, string>> = {}): Promise<T> {
    const scope = this.open(job, metadata);
    try {
      return (await scope.handle(new job())) as T;
    } finally {
      await scope.dispose();
    }
  }
}

const started: INestApplicationContext[] = [];

export async function start(...imports: NonNullable<ModuleMetadata['imports']>): Promise<Application> {
  const root = aModule('AppModule', { imports: [queueModule, ...imports] });
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  started.push(context);
  return new Application(context);
}

/** Closes what a test started, and forgets its strategy. */
export function cleanUpAfterEach(): void {
  afterEach(async () => {
    Reflect.set(ContextIdFactory, 'strategy', undefined);
    for (const context of started.splice(0)) await context.close();
  });
}

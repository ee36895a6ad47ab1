import 'reflect-metadata';
import { describe, JobDeclarationException } from '../contract/index.js';
import type { JobDefinition } from './job-definition.js';

const DEFINITION = 'kinetis-queue:job';

/** Keeps a definition on its class. Called by `@Job()` only. */
export function keepJobDefinition(target: object, definition: JobDefinition): void {
  Reflect.defineMetadata(DEFINITION, definition, target);
}

/** True for a class that is decorated itself: a subclass of a job class is no job without a `@Job()` of its own. */
export function isJobClass(target: unknown): boolean {
  return typeof target === 'function' && ownDefinition(target) !== undefined;
}

/**
 * What a job class declares.
 *
 * @throws JobDeclarationException where the class is not decorated
 */
export function jobDefinition(target: unknown): JobDefinition {
  const definition = typeof target === 'function' ? ownDefinition(target) : undefined;
  if (definition !== undefined) return definition;
  throw new JobDeclarationException(notAJob(target));
}

/**
 * What the class of an instance declares.
 *
 * @throws JobDeclarationException where that class is not decorated
 */
export function jobDefinitionOf(instance: unknown): JobDefinition {
  if (typeof instance !== 'object' || instance === null)
    throw new JobDeclarationException(noInstance(instance));
  // Through the prototype: an argument may be named `constructor`.
  const prototype: unknown = Object.getPrototypeOf(instance);
  const target: unknown =
    typeof prototype === 'object' && prototype !== null ? Reflect.get(prototype, 'constructor') : undefined;
  if (target === undefined || target === Object) {
    throw new JobDeclarationException(
      'Expected an instance of a class decorated with @Job(); what came is an instance of no class of its own. Write ' +
        'a class with a handle() method, decorate it with @Job(), and pass new ThatClass(…).',
    );
  }
  return jobDefinition(target);
}

function ownDefinition(target: object): JobDefinition | undefined {
  return Reflect.getOwnMetadata(DEFINITION, target) as JobDefinition | undefined;
}

function noInstance(came: unknown): string {
  const what =
    typeof came === 'function' && isJobClass(came)
      ? `the class ${came.name} itself: pass new ${came.name}(…)`
      : describe(came);
  return `Expected an instance of a class decorated with @Job(), came ${what}.`;
}

function notAJob(target: unknown): string {
  if (typeof target !== 'function')
    return `Expected a job class, came ${target === null ? 'null' : typeof target}.`;
  const inherited = Reflect.getMetadata(DEFINITION, target) as JobDefinition | undefined;
  const name = target.name === '' ? 'A class without a name' : `Class ${target.name}`;
  return inherited === undefined
    ? `${name} is not decorated with @Job(). Add @Job() to it.`
    : `${name} extends the job ${inherited.name} but is not decorated itself. Add @Job() to it.`;
}

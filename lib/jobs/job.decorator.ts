import { JobDeclarationException } from '../contract/index.js';
import { checkJobOptions } from './check-job-options.js';
import { declaredOptions } from './declared-options.js';
import type { JobCheck } from './job-check.js';
import type { JobClass } from './job-class.js';
import type { JobDefinition } from './job-definition.js';
import { isJobClass, keepJobDefinition } from './job-definition-of.js';
import type { JobOptions } from './job-options.js';
import { onJobFailedOptions } from './on-job-failed.decorator.js';
import { planArguments } from './plan-arguments.js';
import { jobSubject } from './plan-value.js';

/**
 * Makes a class a job: its instances can be pushed, and a worker of an application that lists it runs them.
 *
 * The constructor's arguments travel: each is read back from the property that the constructor assigns it to, under that
 * property's name, and must be a value that JSON carries, a Date, an enum's member, or have `@Arg()`.
 *
 * @throws JobDeclarationException where the class or an option cannot work
 * @publicApi
 */
export function Job<const O extends JobOptions = JobOptions>(options?: O) {
  return <C extends JobClass>(target: C & JobCheck<C, O>): void => {
    declareJob(target, options ?? {});
  };
}

function declareJob(target: JobClass, options: JobOptions): void {
  if (isJobClass(target)) {
    throw new JobDeclarationException(`Job class ${target.name} is decorated with @Job() twice. Keep one.`);
  }
  checkJobOptions(target, options);
  const name = options.name ?? target.name;
  if (name === '') {
    throw new JobDeclarationException(
      "A job class has no name. Name the class, or give @Job({ name: '…' }).",
    );
  }
  if (typeof Reflect.get(target.prototype as object, 'handle') !== 'function') {
    throw new JobDeclarationException(
      `Job class ${target.name} has no method handle(), which a worker calls. Add one, with @Handle() on it.`,
    );
  }
  keepJobDefinition(target, define(target, name, options));
}

function define(target: JobClass, name: string, options: JobOptions): JobDefinition {
  return Object.freeze({
    target,
    ...declaredOptions(name, options),
    explicitName: options.name !== undefined,
    args: planArguments(target, options.args ?? null, jobSubject(target, name)),
    inject: options.inject ?? null,
    onFailed: onJobFailedOptions(target.prototype as object),
  });
}

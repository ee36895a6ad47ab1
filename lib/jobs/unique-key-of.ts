import { assertUniqueKey } from '../contract/index.js';
import { jobDefinitionOf } from './job-definition-of.js';
import type { JobInstance } from './job-class.js';

/**
 * What the job's own `uniqueKey()` answers, null where its class has none.
 *
 * @throws InvalidQueueArgumentException where it answers no string of 1 to 255 characters
 */
export function uniqueKeyOf(job: JobInstance): string | null {
  const method: unknown = Reflect.get(job, 'uniqueKey');
  if (typeof method !== 'function') return null;
  const key: unknown = Reflect.apply(method, job, []);
  assertUniqueKey(key, `${jobDefinitionOf(job).target.name}.uniqueKey()`);
  return key;
}

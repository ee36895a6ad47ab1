import { expect, test } from 'vitest';
import { Job, jobDefinition, type JobOptions, JobRegistry } from '../../lib/jobs/index.js';
import { watchedQueues } from '../../lib/worker/index.js';

function registryOf(...options: JobOptions[]): JobRegistry {
  const registry = new JobRegistry();
  for (const [index, given] of options.entries()) {
    class Listed {
      handle(): void {}
    }
    Job({ ...given, name: `job-${index}` })(Listed);
    registry.add(jobDefinition(Listed));
  }
  return registry;
}

test('every queue of a listed job is watched once, alphabetically, default last', () => {
  const registry = registryOf({ queue: 'mail' }, {}, { queue: 'zoo' }, { queue: 'mail' }, { queue: 'audit' });
  expect(watchedQueues(registry, 'default', 'default')).toEqual(['audit', 'mail', 'zoo', 'default']);
});

test('a job belongs to the connection it names, and without one to the default', () => {
  const registry = registryOf({ queue: 'mail' }, { queue: 'entries', connection: 'ledger' });
  expect(watchedQueues(registry, 'default', 'default')).toEqual(['mail']);
  expect(watchedQueues(registry, 'ledger', 'default')).toEqual(['entries']);
});

test('without a listed job there is nothing to watch', () => {
  expect(watchedQueues(registryOf(), 'default', 'default')).toEqual([]);
});

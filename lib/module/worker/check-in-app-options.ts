import { QueueConfigurationException } from '../../contract/index.js';
import { checkOption } from '../configuration/check-option.js';
import { didYouMean } from '../configuration/did-you-mean.js';
import { readWorkerEnvironment } from '../configuration/environment.js';
import type { Option } from '../configuration/option.js';
import type { Environment } from '../configuration/variables.js';
import { type GivenWorkerOptions, WORKER_OPTIONS } from '../configuration/worker-options.js';
import type { InAppWorkerOptions } from './in-app-worker-options.js';

const IN_APP_OPTIONS: ReadonlyMap<string, Option<unknown>> = new Map(
  Object.entries(WORKER_OPTIONS).filter(([, option]: [string, Option<unknown>]) => option.inModule),
);

/** Options of code over those of the environment, checked by the same table. */
export function checkInAppOptions(options: InAppWorkerOptions, environment: Environment): GivenWorkerOptions {
  const given: Record<string, unknown> = { ...readWorkerEnvironment(environment) };
  for (const [key, value] of Object.entries(options)) {
    const option = IN_APP_OPTIONS.get(key);
    if (option === undefined) {
      throw new QueueConfigurationException(
        `KinetisQueueModule: worker: unknown option ${key}.${didYouMean(key, IN_APP_OPTIONS.keys())}`,
      );
    }
    if (value !== undefined) given[key] = checkOption(option, `KinetisQueueModule: worker.${key}`, value);
  }
  return given;
}

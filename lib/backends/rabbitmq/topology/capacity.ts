import type { Capabilities } from '../../../contract/index.js';
import { longestHoldMs } from './hold.js';
import { MAX_LADDER_SECONDS } from './ladder.js';
import type { TopologySettings } from './topology-settings.js';

/** The capabilities that follow from how queues are declared. */
export type TopologyCapabilities = Pick<
  Capabilities,
  | 'priorityLevels'
  | 'maxPushDelaySeconds'
  | 'maxReleaseDelaySeconds'
  | 'delayGranularitySeconds'
  | 'clear'
  | 'countsCrashes'
>;

export function topologyCapabilities(settings: TopologySettings): TopologyCapabilities {
  const ladder = settings.delays === 'ladder';
  const longest = ladder ? MAX_LADDER_SECONDS : longestHoldMs(settings.holdGranularityMs) / 1_000;
  return {
    priorityLevels: settings.maxPriority === null ? 'none' : 'levels',
    maxPushDelaySeconds: longest,
    maxReleaseDelaySeconds: longest,
    delayGranularitySeconds: ladder ? 1 : settings.holdGranularityMs / 1_000,
    // Nobody can list the hold queues that other processes made.
    clear: ladder,
    countsCrashes: settings.queueType === 'quorum',
  };
}

import { assertQueueNames, describe, QueueConfigurationException } from '../contract/index.js';
import type { OpenTelemetryOptions } from './open-telemetry.options.js';

const KNOWN: ReadonlySet<string> = new Set([
  'tracerProvider',
  'meterProvider',
  'follows',
  'recordExceptions',
  'measureWatchedQueues',
  'measureQueues',
] satisfies (keyof OpenTelemetryOptions)[]);

/** An option that is misspelt or of the wrong form is refused at boot, not found missing when it is needed. */
export function checkOptions(options: OpenTelemetryOptions): void {
  for (const key of Object.keys(options)) {
    if (!KNOWN.has(key)) refuse(`unknown option "${key}". Known: ${[...KNOWN].join(', ')}.`);
  }
  const { follows, measureQueues } = options;
  if (follows !== undefined && follows !== 'parent' && follows !== 'link') {
    refuse(`follows: expected 'parent' or 'link', came ${describe(follows)}.`);
  }
  for (const key of ['recordExceptions', 'measureWatchedQueues'] as const) {
    const value = options[key];
    if (value !== undefined && typeof value !== 'boolean') {
      refuse(`${key}: expected true or false, came ${describe(value)}.`);
    }
  }
  if (measureQueues === undefined) return;
  if (typeof measureQueues !== 'object' || measureQueues === null) {
    refuse(`measureQueues: expected lists of queues by connection, came ${describe(measureQueues)}.`);
  }
  for (const [connection, queues] of Object.entries(measureQueues)) {
    assertQueueNames(queues, `openTelemetry(): measureQueues.${connection}`);
  }
}

function refuse(what: string): never {
  throw new QueueConfigurationException(`openTelemetry(): ${what}`);
}

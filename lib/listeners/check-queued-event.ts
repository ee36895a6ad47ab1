import {
  assertDelaySeconds,
  describe,
  InvalidQueueArgumentException,
  JobDeclarationException,
} from '../contract/index.js';
import { checkOptions } from '../jobs/check-job-options.js';
import { QUEUED_EVENT_OPTIONS, type QueuedEventOptions } from './queued-event-options.js';

/** What EventEmitter2 takes as the name of an event: text, or its segments where wildcards are on. */
export type EventName = string | readonly string[];

/**
 * Refuses what cannot work, at decoration.
 *
 * @throws JobDeclarationException naming the method, the option, what was expected and what came
 */
export function checkQueuedEvent(place: string, event: unknown, options: QueuedEventOptions): void {
  const segments = Array.isArray(event) ? event : [event];
  if (segments.length === 0 || !segments.every((segment) => isText(segment))) {
    const came = segments.some((segment) => typeof segment === 'symbol')
      ? 'a symbol, which has no wire form'
      : describe(event);
    throw new JobDeclarationException(
      `${place}: @OnQueuedEvent(event): expected the name of an event, as text or as an array of its segments, came ${came}.`,
    );
  }
  const at = (option: string): string => `${place}: @OnQueuedEvent('…', { ${option} })`;
  const { id, delaySeconds, inline, types, sensitive, ...shared } = options;
  // With every name, so that a message of an unknown option lists all.
  checkOptions(shared, QUEUED_EVENT_OPTIONS, at);
  if (id !== undefined && !isText(id)) refuse(at('id'), 'a non-empty well-formed string', id);
  checkFlag(inline, at('inline'));
  checkFlag(sensitive, at('sensitive'));
  if (types !== undefined && !Array.isArray(types)) {
    refuse(at('types'), "an array of types, in the order of the method's parameters", types);
  }
  try {
    if (delaySeconds !== undefined) assertDelaySeconds(delaySeconds, at('delaySeconds'));
  } catch (error) {
    if (error instanceof InvalidQueueArgumentException) throw new JobDeclarationException(error.message);
    throw error;
  }
}

function checkFlag(value: unknown, what: string): void {
  if (value !== undefined && typeof value !== 'boolean') refuse(what, 'true or false', value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}

function refuse(what: string, expected: string, came: unknown): never {
  throw new JobDeclarationException(`${what}: expected ${expected}, came ${describe(came)}.`);
}

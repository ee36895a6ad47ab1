import { assertLimit, describe, InvalidQueueArgumentException } from '../contract/index.js';
import type { BullBoardOptions } from './bull-board-options.js';

export const BOARD_OPTIONS = [
  'connections',
  'queues',
  'readOnly',
  'showMetadata',
  'maxTextLength',
  'timeoutMs',
];

/** An option that is misspelt would show what it was to hide, so unknown ones are refused. */
export function checkBoardOptions(options: BullBoardOptions): void {
  for (const key of Object.keys(options)) {
    if (BOARD_OPTIONS.includes(key)) continue;
    throw new InvalidQueueArgumentException(
      `bullBoardQueues(): expected options among ${BOARD_OPTIONS.join(', ')}, came "${key}".`,
    );
  }
  const { maxTextLength, timeoutMs, readOnly, showMetadata } = options;
  if (maxTextLength !== undefined) assertLimit(maxTextLength, 'bullBoardQueues(): maxTextLength');
  if (timeoutMs !== undefined) assertLimit(timeoutMs, 'bullBoardQueues(): timeoutMs');
  for (const [name, value] of Object.entries({ readOnly, showMetadata })) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new InvalidQueueArgumentException(
      `bullBoardQueues(): ${name}: expected true or false, came ${describe(value)}.`,
    );
  }
}

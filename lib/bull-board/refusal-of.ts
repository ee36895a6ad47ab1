import {
  InvalidQueueArgumentException,
  QueueNotAdministrableException,
  QueueNotClearableException,
} from '../contract/index.js';
import { BoardError } from './board-error.js';

/** What may be told of an error as it is: our own sentences, which hold no address and no password. */
export function refusalOf(error: unknown): BoardError | null {
  if (error instanceof BoardError) return error;
  const isOwn =
    error instanceof QueueNotAdministrableException ||
    error instanceof QueueNotClearableException ||
    error instanceof InvalidQueueArgumentException;
  return isOwn ? new BoardError(error.message) : null;
}

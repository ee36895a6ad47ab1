import { QueueException } from '../contract/index.js';

/** The command will not do what it was told; nothing was changed. It ends with 1. */
export class CommandRefusedException extends QueueException {
  readonly code = 'QUEUE_COMMAND_REFUSED';
}

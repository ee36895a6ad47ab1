import {
  QueueNotAdministrableException,
  QueueNotClearableException,
  QueueNotConsumableException,
  ServerRefused,
} from '../contract/index.js';
import { exitCodeOf as workersExitCodeOf } from '../module/worker/exit-code-of.js';
import { CommandRefusedException } from './command-refused.exception.js';

/** 0 done, 1 refused, 64 usage or configuration, 69 server not reached, 70 internal, as BSD's sysexits has them. */
export type CommandExitCode = 0 | 1 | 64 | 69 | 70;

/** What a backend, its server or the command itself would not do. */
const REFUSED = [
  CommandRefusedException,
  QueueNotAdministrableException,
  QueueNotClearableException,
  QueueNotConsumableException,
  ServerRefused,
];

export function exitCodeOf(error: unknown): CommandExitCode {
  if (REFUSED.some((type) => error instanceof type)) return 1;
  const code = workersExitCodeOf(error);
  return code === 64 || code === 69 ? code : 70;
}

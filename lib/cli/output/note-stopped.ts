import type { CommandRun } from '../command-run.js';
import { quoted } from './format.js';

/** Says that a signal ended a command between two queues, and which of them it had been through. */
export function noteStopped(command: string, done: readonly string[], run: CommandRun): void {
  run.terminal.note(
    `${command}: ended by a signal before it was through. Done: ${quoted(done)}. What is left is as it was; start it again ` +
      'to go on.',
  );
}

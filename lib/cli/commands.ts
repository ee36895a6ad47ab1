import { clearCommand } from './clear.command.js';
import type { Command } from './command.js';
import { failedFlushCommand } from './failed/failed-flush.command.js';
import { failedForgetCommand } from './failed/failed-forget.command.js';
import { failedListCommand } from './failed/failed-list.command.js';
import { failedRetryCommand } from './failed/failed-retry.command.js';
import { failedShowCommand } from './failed/failed-show.command.js';
import { doctorCommand } from './doctor/doctor.command.js';
import { migrateCommand } from './migrate.command.js';
import { moveCommand } from './move/move.command.js';
import { pauseCommand, resumeCommand } from './pause.command.js';
import { statsCommand } from './stats/stats.command.js';

/** In the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  statsCommand,
  failedListCommand,
  failedShowCommand,
  failedRetryCommand,
  failedForgetCommand,
  failedFlushCommand,
  pauseCommand,
  resumeCommand,
  clearCommand,
  moveCommand,
  migrateCommand,
  doctorCommand,
];

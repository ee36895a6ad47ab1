import type { FaultCell } from '../../cell.js';
import { clockShifted } from './clock-shifted.js';
import { crossedSettlement } from './crossed-settlement.js';
import { failingCalls } from './failing-calls.js';
import { killedBeforeAck } from './killed-before-ack.js';
import { leaseRace } from './lease-race.js';
import { poisonBlocks } from './poison-blocks.js';
import { poisonExits } from './poison-exits.js';
import { poisonMalformed } from './poison-malformed.js';
import { poisonThrows } from './poison-throws.js';
import { poisonUnknownClass } from './poison-unknown-class.js';
import { storm } from './storm.js';
import { toldToStop } from './told-to-stop.js';
import { workerKilled } from './worker-killed.js';
import { workerStopped } from './worker-stopped.js';

/** Faults of the processes that run jobs, and of the jobs. */
export const PROCESS_CELLS: readonly FaultCell[] = [
  workerKilled,
  killedBeforeAck,
  workerStopped,
  leaseRace,
  crossedSettlement,
  clockShifted,
  toldToStop,
  storm,
  poisonThrows,
  poisonExits,
  poisonBlocks,
  poisonMalformed,
  poisonUnknownClass,
  failingCalls,
];

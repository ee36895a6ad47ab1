import type { FaultCell } from '../../cell.js';
import { connectionCut } from './connection-cut.js';
import { halfOpen } from './half-open.js';
import { pushReplyLost } from './push-reply-lost.js';
import { serverKilled } from './server-killed.js';
import { serverStopped } from './server-stopped.js';
import { settlementReplyLost } from './settlement-reply-lost.js';
import { slowWire } from './slow-wire.js';

/** The rows of the matrix that hurt a server, or the wire to it. */
export const NETWORK_CELLS: readonly FaultCell[] = [
  serverKilled,
  serverStopped,
  connectionCut,
  halfOpen,
  slowWire,
  pushReplyLost,
  settlementReplyLost,
];

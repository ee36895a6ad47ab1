import type { FaultCell } from '../cell.js';
import { NETWORK_CELLS } from '../cells/network/index.js';
import { PROCESS_CELLS } from '../cells/process/index.js';

/** The rows of the matrix. */
export const CELLS: readonly FaultCell[] = [...PROCESS_CELLS, ...NETWORK_CELLS];

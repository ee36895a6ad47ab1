import type { FaultConnection } from '../app/fault-environment.js';

/** What tells a process of a trial how to connect. */
export function faultEnvironment(connection: FaultConnection): Readonly<Record<string, string>> {
  return { FAULT_CONNECTION: JSON.stringify(connection) };
}

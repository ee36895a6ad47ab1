import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is on the PATH, null where it is not installed. */
export function onPath(program: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync) ?? null;
}

import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Adds a line to a file that may not be there yet. */
export async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${line}\n`);
}

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export async function fileExists(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(10);
}

import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';

/** True for the first `times` processes of a trial that ask about a thing, whatever becomes of them. */
export function firstTimes(folder: string, thing: string, times: number): boolean {
  for (let time = 0; time < times; time += 1) {
    try {
      closeSync(openSync(join(folder, `${thing}-${time}.once`), 'wx'));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return false;
}

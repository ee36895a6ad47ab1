import { resolve } from 'node:path';

/** Work of this process on one file, in line; the promise resolves when the last of it has ended. */
const turns = new Map<string, Promise<void>>();

/**
 * Lets only one piece of the queue's work at a time into a file, over however many connections of this process: two
 * transactions that took turns within one event loop would stop it, each waiting for the other.
 */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  if (file === '' || file === ':memory:') return work();
  const key = resolve(file);
  const before = turns.get(key);
  let done = (): void => undefined;
  const turn = new Promise<void>((end) => (done = end));
  turns.set(key, turn);
  try {
    if (before !== undefined) await before;
    return await work();
  } finally {
    if (turns.get(key) === turn) turns.delete(key);
    done();
  }
}

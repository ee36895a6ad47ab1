import type { NewJob } from './store.js';

const CHARACTERS_OF_WEIGHT = 4_096;

/** Weight of the stores of one step, unless a single store brings more. */
export const MAX_STORE_WEIGHT = 500;

/** What a job weighs in a step that stores many: 1, and 1 for each 4 KB of its body. */
export function storeWeightOf({ body }: NewJob): number {
  return 1 + Math.floor(body.length / CHARACTERS_OF_WEIGHT);
}

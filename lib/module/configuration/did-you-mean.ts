import { nearMiss } from './near-miss.js';

/** " Did you mean …?", the end of a refusal of an unknown word; empty where no known word is near. `prefix` is shown. */
export function didYouMean(word: string, known: Iterable<string>, prefix = ''): string {
  const meant = nearMiss(word, known);
  return meant === null ? '' : ` Did you mean ${prefix}${meant}?`;
}

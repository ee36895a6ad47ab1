import type { SourcePatch } from './mutant.js';

/**
 * The text of a source with a patch applied. Throws where the text to replace does not stand in it exactly once: the
 * source has moved on, and the mutant has to follow it.
 */
export function patched(source: string, { file, find, replace }: SourcePatch): string {
  const pieces = source.split(find);
  if (pieces.length !== 2) {
    throw new Error(
      `${file}: expected the text of a mutant to stand in it exactly once, came ${pieces.length - 1} times; follow the ` +
        `source with the mutant:\n${find}`,
    );
  }
  if (find === replace) throw new Error(`${file}: expected a mutant to change the text, came the same.`);
  return pieces.join(replace);
}
